// SPDX-License-Identifier: MIT OR Apache-2.0
//! SPA 5.0.
