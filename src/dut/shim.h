// SPDX-License-Identifier: MIT OR Apache-2.0
// The Verilated unit as a clock, a table of ports and a trace. It computes nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "rust/cxx.h"

namespace gpu_lsu {

struct Port;
struct Sink;

class Unit {
 public:
  virtual ~Unit() = default;

  // Lets the outputs follow the inputs. Throws what the RTL reports: a failed assertion, no convergence.
  virtual void eval() = 0;

  // What the `final` blocks of the RTL print, as it is now. It goes on as if nobody had asked.
  virtual rust::String last_words() = 0;

  // The ports, by name: where each lives, and how many bytes it has.
  virtual rust::Vec<Port> ports() const = 0;

  // What the build has traced, from the next dump on.
  virtual void open_trace(rust::Box<Sink> sink) = 0;
  virtual void dump(std::uint64_t time) = 0;
  virtual void close_trace() = 0;

  // Writes how often each line of the RTL ran, in Verilator's format. Of a unit without counters, nothing.
  virtual void write_lines(rust::Str path) = 0;
};

// prefix is the name of a Verilated class; null when it was not built.
std::unique_ptr<Unit> new_unit(rust::Str prefix);

// What lsu_layout prints: the bits of every field of lsu_pkg.
rust::String layout();

}  // namespace gpu_lsu
