// SPDX-License-Identifier: MIT OR Apache-2.0
// With these specializations Verilator's generated code only stores the value of each signal, and src/dut/trace.h finds
// the changes. To compare each signal where it is stored takes a branch for every signal and code to report its change,
// more code than a cache holds. Included before every file of the build that stores signals.
#pragma once

#include <cstring>

#include "verilated_vcd_c.h"

template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgBit(uint32_t* oldp, CData value) {
  *oldp = value;
}
template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgCData(uint32_t* oldp, CData value, int) {
  *oldp = value;
}
template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgSData(uint32_t* oldp, SData value, int) {
  *oldp = value;
}
template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgIData(uint32_t* oldp, IData value, int) {
  *oldp = value;
}
template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgQData(uint32_t* oldp, QData value, int) {
  std::memcpy(oldp, &value, sizeof value);
}
template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgDouble(uint32_t* oldp, double value) {
  std::memcpy(oldp, &value, sizeof value);
}
template <>
VL_ATTR_ALWINLINE void VerilatedVcd::Buffer::chgWData(uint32_t* oldp, const WData* value, int bits) {
  std::memcpy(oldp, value, VL_WORDS_I(bits) * sizeof *value);
}
