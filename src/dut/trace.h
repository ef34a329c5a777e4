// SPDX-License-Identifier: MIT OR Apache-2.0
// The trace of a unit: what is declared and the first cycle as Verilator writes them, as a VCD; and then what changes as
// words, as to write that text and to read it again would be most of what a wave costs.
//
// A record is the number of a variable, as its id in the header counts from 1, and the words of its value, the lowest first;
// the header says how many these are. Number 0 is the time, of two words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "gpu-lsu/src/dut/bridge.rs.h"
#include "values.h"

namespace gpu_lsu {

// Where the variables of a unit lie among the words of their values. It is the same of every trace.
class Layout {
 public:
  // From a header, of a trace that has so many words.
  void learn(const std::string& header, std::size_t words) {
    if (!first_.empty()) return;
    first_.resize(words);
    length_.resize(words);
    for (const char* at = header.c_str(); (at = std::strstr(at, "$var ")); ++at) {
      unsigned bits = 0;
      char id[8];
      if (std::sscanf(at, "$var %*s %u %7s", &bits, id) != 2) continue;
      std::size_t number = 0;
      for (std::size_t digit = std::strlen(id); digit > 0; --digit) number = number * 94 + (id[digit - 1] - '!') + 1;
      const std::size_t first = number - 1;
      const std::size_t length = (bits + 31) / 32;
      if (first + length > words) continue;
      length_[first] = length;
      for (std::size_t word = 0; word < length; ++word) first_[first + word] = first;
    }
  }

  std::uint32_t first(std::size_t word) const { return first_[word]; }
  std::uint32_t length(std::size_t first) const { return length_[first]; }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> length_;
};

class Trace final : private VerilatedVcdFile {
 public:
  template <class Model>
  Trace(Model& model, Layout& layout, rust::Box<Sink> sink) : layout_(layout), sink_(std::move(sink)), vcd_(this) {
    model.trace(&vcd_, 99);
    vcd_.open("");
  }

  ~Trace() override {
    vcd_.close();
    if (begun_) {
      send();
    } else {
      sink_->text({reinterpret_cast<const std::uint8_t*>(text_.data()), text_.size()});
    }
  }

  void dump(std::uint64_t time) {
    vcd_.dump(time);
    if (!begun_) return begin();
    put(0, &time, sizeof time);
    const std::uint32_t* const now = Values::of(*vcd_.spTrace());
    std::size_t word = 0;
    for (; word + STEP <= then_.size(); word += STEP) {
      std::uint64_t differs = 0;
      for (std::size_t pair = 0; pair < STEP; pair += 2) differs |= two(now + word + pair) ^ two(&then_[word + pair]);
      if (differs) {
        for (std::size_t near = word; near < word + STEP; ++near) compare(now, near);
      }
    }
    for (; word < then_.size(); ++word) compare(now, word);
    if (used_ >= PIECE) send();
  }

 private:
  // Words that go on at once, and that are compared at once.
  static constexpr std::size_t PIECE = std::size_t{1} << 16;
  static constexpr std::size_t STEP = 8;

  // What Verilator keeps for its subclasses: every value, and how many words these are.
  struct Values : VerilatedVcd {
    static const std::uint32_t* of(VerilatedVcd& trace) { return trace.*(&Values::m_sigs_oldvalp); }
    static std::size_t words(const VerilatedVcd& trace) { return (trace.*(&Values::nextCode))(); }
  };

  bool open(const std::string&) override { return true; }
  void close() override {}
  ssize_t write(const char* bytes, ssize_t length) override {
    // Of later cycles only the times come this way.
    if (!begun_) text_.append(bytes, length);
    return length;
  }

  void begin() {
    vcd_.flush();
    begun_ = true;
    const std::size_t words = Values::words(*vcd_.spTrace());
    layout_.learn(text_, words);
    sink_->text({reinterpret_cast<const std::uint8_t*>(text_.data()), text_.size()});
    text_ = {};
    const std::uint32_t* const now = Values::of(*vcd_.spTrace());
    then_.assign(now, now + words);
    // However much of one cycle comes on top of a piece.
    changes_.resize(PIECE + 2 * words + 3);
  }

  static std::uint64_t two(const std::uint32_t* words) {
    std::uint64_t both;
    std::memcpy(&both, words, sizeof both);
    return both;
  }

  void compare(const std::uint32_t* now, std::size_t word) {
    if (VL_LIKELY(now[word] == then_[word])) return;
    const std::size_t first = layout_.first(word);
    const std::size_t bytes = layout_.length(first) * sizeof *now;
    std::memcpy(&then_[first], now + first, bytes);
    put(first + 1, now + first, bytes);
  }

  void put(std::size_t number, const void* words, std::size_t bytes) {
    changes_[used_] = static_cast<std::uint32_t>(number);
    std::memcpy(&changes_[used_ + 1], words, bytes);
    used_ += 1 + bytes / sizeof(std::uint32_t);
  }

  void send() {
    sink_->changes({changes_.data(), used_});
    used_ = 0;
  }

  Layout& layout_;
  rust::Box<Sink> sink_;
  VerilatedVcdC vcd_;
  bool begun_ = false;
  std::string text_;
  // What was said of every word.
  std::vector<std::uint32_t> then_;
  std::vector<std::uint32_t> changes_;
  std::size_t used_ = 0;
};

}  // namespace gpu_lsu
