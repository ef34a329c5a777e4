// SPDX-License-Identifier: MIT OR Apache-2.0
// What the RTL prints goes to the program that runs it, not to standard output. Included before every C++ file of the
// build.
#pragma once
#ifdef __cplusplus
extern "C"
#endif
int gpu_lsu_report(const char* format, ...) __attribute__((format(printf, 1, 2)));
