// SPDX-License-Identifier: MIT OR Apache-2.0
// The traces of a unit. The declarations come as Verilator writes them, as the header of a VCD. The changes come as
// words, since to write them as text and to read that again would be most of the cost of a wave.
//
// A record is the number of a variable (its id in the header, counted from 1), then the words of its value, the lowest
// first; their number follows from the header. Number 0 is the time, of two words. In a trace's first cycle every
// variable changes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gpu-lsu/src/dut/bridge.rs.h"
#include "values.h"
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace gpu_lsu {

// The number of words that `differing` compares.
constexpr std::size_t STEP = 64;

// Which of STEP words differ, one bit each.
inline std::uint64_t differing(const std::uint32_t* one, const std::uint32_t* other) {
  std::uint64_t differ = 0;
  for (std::size_t at = 0; at < STEP; at += 16) {
    std::uint64_t part = 0;
#ifdef __SSE2__
    const auto equal = [&](std::size_t four) {
      const auto load = [four, at](const std::uint32_t* words) {
        return _mm_loadu_si128(reinterpret_cast<const __m128i*>(words + at + four));
      };
      return _mm_cmpeq_epi32(load(one), load(other));
    };
    const __m128i low = _mm_packs_epi32(equal(0), equal(4));
    const __m128i high = _mm_packs_epi32(equal(8), equal(12));
    part = ~_mm_movemask_epi8(_mm_packs_epi16(low, high)) & 0xffff;
#else
    for (std::size_t word = 0; word < 16; ++word) {
      part |= static_cast<std::uint64_t>(one[at + word] != other[at + word]) << word;
    }
#endif
    differ |= part << at;
  }
  return differ;
}

// For each word of a unit's values: how many words the variable that begins there has, or 0 if none does.
inline std::vector<std::uint16_t> lengths(const std::string& header, std::size_t words) {
  static const char VAR[] = "$var ";
  std::vector<std::uint16_t> lengths(words);
  for (std::size_t at = 0; (at = header.find(VAR, at)) != std::string::npos;) {
    // `wire`, bits, id.
    at = header.find(' ', at + sizeof VAR - 1);
    char* id = nullptr;
    const std::size_t bits = std::strtoul(header.c_str() + at, &id, 10);
    // Digits as Verilator writes them, the lowest first; a space ends the number.
    std::size_t number = 0;
    std::size_t scale = 1;
    for (++id; *id > ' '; ++id, scale *= 94) number += scale * (*id - '!' + 1);
    if (number > 0 && number <= words) lengths[number - 1] = (bits + 31) / 32;
  }
  return lengths;
}

class Trace final : private VerilatedVcdFile {
 public:
  template <class Model>
  explicit Trace(Model& model) : vcd_(this) {
    model.trace(&vcd_, 99);
    vcd_.open("");
    vcd_.flush();
    declared_ = true;
    lengths_ = lengths(header_, Values::words(*vcd_.spTrace()));
    then_.resize(lengths_.size());
    // Room for a piece, and on top of it for all of one cycle.
    changes_.resize(PIECE + 2 * lengths_.size() + 3);
  }

  ~Trace() override { vcd_.close(); }

  void begin(rust::Box<Sink> sink) {
    sink_ = std::make_unique<rust::Box<Sink>>(std::move(sink));
    (*sink_)->text({reinterpret_cast<const std::uint8_t*>(header_.data()), header_.size()});
    begun_ = false;
  }

  void end() {
    if (sink_) send();
    sink_.reset();
  }

  void dump(std::uint64_t time) {
    if (!sink_) return;
    // Verilator requires a time later than any before, across all traces.
    vcd_.dump(++dumps_);
    const std::uint32_t* const now = Values::of(*vcd_.spTrace());
    put(0, &time, 2);
    begun_ ? put_changed(now) : put_all(now);
    begun_ = true;
    if (used_ >= PIECE) send();
  }

 private:
  // A piece is sent when it has this many words.
  static constexpr std::size_t PIECE = std::size_t{1} << 14;

  // Access to what Verilator keeps for its subclasses: the value of every signal, and the words of all values.
  struct Values : VerilatedVcd {
    static const std::uint32_t* of(VerilatedVcd& trace) { return trace.*(&Values::m_sigs_oldvalp); }
    static std::size_t words(const VerilatedVcd& trace) { return (trace.*(&Values::nextCode))(); }
  };

  bool open(const std::string&) override { return true; }
  void close() override {}
  ssize_t write(const char* bytes, ssize_t length) override {
    // After the header come times and the very first values, which also come as words.
    if (!declared_) header_.append(bytes, length);
    return length;
  }

  void put_all(const std::uint32_t* now) {
    for (std::size_t word = 0; word < lengths_.size(); ++word) {
      if (lengths_[word] > 0) put(word + 1, now + word, lengths_[word]);
    }
    std::memcpy(then_.data(), now, then_.size() * sizeof *now);
  }

  void put_changed(const std::uint32_t* now) {
    const std::size_t words = lengths_.size();
    std::size_t word = 0;
    for (; word + STEP <= words; word += STEP) {
      for (std::uint64_t differ = differing(now + word, &then_[word]); differ; differ &= differ - 1) {
        put_variable(now, word + __builtin_ctzll(differ));
      }
    }
    for (; word < words; ++word) {
      if (now[word] != then_[word]) put_variable(now, word);
    }
  }

  // Puts the variable that a changed word belongs to.
  void put_variable(const std::uint32_t* now, std::size_t word) {
    if (VL_LIKELY(lengths_[word] == 1)) {
      put(word + 1, now + word, 1);
      then_[word] = now[word];
      return;
    }
    // Another word of this variable may have put it already.
    if (now[word] == then_[word]) return;
    while (lengths_[word] == 0) --word;
    put(word + 1, now + word, lengths_[word]);
    std::memcpy(&then_[word], now + word, lengths_[word] * sizeof *now);
  }

  void put(std::size_t number, const void* words, std::size_t length) {
    std::uint32_t* const to = &changes_[used_];
    used_ += 1 + length;
    to[0] = static_cast<std::uint32_t>(number);
    if (length == 1) {
      std::memcpy(to + 1, words, sizeof *to);
    } else {
      std::memcpy(to + 1, words, length * sizeof *to);
    }
  }

  void send() {
    (*sink_)->changes({changes_.data(), used_});
    used_ = 0;
  }

  VerilatedVcdC vcd_;
  std::string header_;
  bool declared_ = false;
  std::vector<std::uint16_t> lengths_;
  std::uint64_t dumps_ = 0;
  // The sink of the open trace, and whether it has its first cycle.
  std::unique_ptr<rust::Box<Sink>> sink_;
  bool begun_ = false;
  // The values that the trace has had last.
  std::vector<std::uint32_t> then_;
  std::vector<std::uint32_t> changes_;
  std::size_t used_ = 0;
};

}  // namespace gpu_lsu
