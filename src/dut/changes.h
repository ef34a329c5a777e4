// SPDX-License-Identifier: MIT OR Apache-2.0
// What Verilator's generated code finds to have changed goes into a buffer as words, not as the text of a VCD: to write that
// and to read it again would be most of what a wave costs. Read before every file of the build that compares signals.
//
// A record is the number of a variable, as its id in the header counts, and the words of its value, the lowest first; the
// header says how many these are. Number 0 is the time, of two words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "verilated_vcd_c.h"

namespace gpu_lsu {

// Where the trace of this thread goes that is being dumped.
struct Changes {
  std::uint32_t* next;
  std::uint32_t* end;
  // Makes room for so many words.
  void (*spill)(std::size_t words);
};
inline thread_local Changes changes = {nullptr, nullptr, nullptr};

inline std::uint32_t* record(std::uint32_t number, std::size_t words) {
  if (VL_UNLIKELY(static_cast<std::size_t>(changes.end - changes.next) < 1 + words)) changes.spill(1 + words);
  std::uint32_t* const to = changes.next;
  changes.next = to + 1 + words;
  *to = number;
  return to + 1;
}

// Verilator counts codes from 0, and writes them as ids; these are counted from 1.
inline std::uint32_t number(std::ptrdiff_t code) { return static_cast<std::uint32_t>(code) + 1; }

}  // namespace gpu_lsu

#define GPU_LSU_CHANGED(name, type)                                                              \
  template <>                                                                                    \
  VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::name(std::uint32_t* oldp, type value, int) {      \
    if (VL_UNLIKELY(*oldp ^ value)) *gpu_lsu::record(gpu_lsu::number(oldp - m_sigs_oldvalp), 1) = *oldp = value; \
  }
GPU_LSU_CHANGED(chgCData, CData)
GPU_LSU_CHANGED(chgSData, SData)
GPU_LSU_CHANGED(chgIData, IData)
#undef GPU_LSU_CHANGED

template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgBit(std::uint32_t* oldp, CData value) {
  chgCData(oldp, value, 1);
}

template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgQData(std::uint32_t* oldp, QData value, int) {
  if (VL_LIKELY(!std::memcmp(oldp, &value, sizeof value))) return;
  std::memcpy(oldp, &value, sizeof value);
  std::memcpy(gpu_lsu::record(gpu_lsu::number(oldp - m_sigs_oldvalp), 2), &value, sizeof value);
}

template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgDouble(std::uint32_t* oldp, double value) {
  QData bits;
  std::memcpy(&bits, &value, sizeof value);
  chgQData(oldp, bits, 64);
}

template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgWData(std::uint32_t* oldp, const WData* value, int bits) {
  const std::size_t words = VL_WORDS_I(bits);
  if (VL_LIKELY(!std::memcmp(oldp, value, words * sizeof *value))) return;
  std::memcpy(oldp, value, words * sizeof *value);
  std::memcpy(gpu_lsu::record(gpu_lsu::number(oldp - m_sigs_oldvalp), words), value, words * sizeof *value);
}
