// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden model.
