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

  // What the `final` blocks of the RTL print in the present state. The unit's state stays as it is.
  virtual rust::String last_words() = 0;

  // The ports by name: the address and the size in bytes of each.
  virtual rust::Vec<Port> ports() const = 0;

  // Traces the signals that the build has chosen, from the next dump on.
  virtual void open_trace(rust::Box<Sink> sink) = 0;
  virtual void dump(std::uint64_t time) = 0;
  virtual void close_trace() = 0;

  // Writes how often each line of the RTL ran, in Verilator's format. A unit without counters writes nothing.
  virtual void write_lines(rust::Str path) = 0;
};

// `prefix` names a Verilated class; null if the build does not have it. Registers begin with zeros (`power_up` 0), ones (1)
// or random values (2).
std::unique_ptr<Unit> new_unit(rust::Str prefix, std::int32_t power_up);

// What lsu_layout prints: the bits of every field of lsu_pkg.
rust::String layout();

}  // namespace gpu_lsu
