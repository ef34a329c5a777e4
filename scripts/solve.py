#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Bitwuzla of PyPI, which comes without a program: answers the commands of one file in SMT-LIB."""

import sys

import bitwuzla

bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options()).parse(sys.argv[1], False, True)
