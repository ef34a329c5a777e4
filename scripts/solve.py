#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bitwuzla of PyPI, which comes without a program: answers the commands of one file in SMT-LIB."""

import sys

try:
    import bitwuzla
except ImportError:
    sys.exit("it is not installed: `scripts/setup test` does it")

bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options()).parse(sys.argv[1], False, True)
