// SPDX-License-Identifier: MIT OR Apache-2.0
//! The unit's ports by name, checked for width once.

use crate::{
    dut::{Dut, DutError, Pin},
    op::{Attr, Ctrl, Op, Shape},
};

macro_rules! pins {
    ($(#[$doc:meta])* $($name:ident = $port:literal, |$shape:ident| $bits:expr;)*) => {
        $(#[$doc])*
        pub struct Pins { $(pub $name: Pin,)* }

        impl Pins {
            /// Finds every port of a unit of this shape.
            pub fn find(dut: &Dut, shape: &Shape) -> Result<Self, DutError> {
                Ok(Pins { $($name: { let $shape = shape; let _ = $shape; dut.pin($port, $bits)? },)* })
            }
        }
    };
}

pins! {
    /// The ports of rtl/lsu.sv.
    clk = "clk_i", |s| 1;
    rst_n = "rst_ni", |s| 1;
    ctrl = "ctrl_i", |s| Ctrl::WIDTH as usize;
    op_valid = "op_valid_i", |s| 1;
    op_ready = "op_ready_o", |s| 1;
    op = "op_i", |s| Op::WIDTH as usize;
    op_active = "op_active_i", |s| s.lanes;
    op_helper = "op_helper_i", |s| s.lanes;
    op_predicate = "op_predicate_i", |s| s.lanes;
    op_addr = "op_addr_i", |s| s.lanes * 96;
    data_valid = "data_valid_i", |s| 1;
    data_ready = "data_ready_o", |s| 1;
    data = "data_i", |s| s.lanes * 32;
    wb_valid = "wb_valid_o", |s| 1;
    wb_ready = "wb_ready_i", |s| 1;
    wb_warp = "wb_warp_o", |s| 3;
    wb_tag = "wb_tag_o", |s| 8;
    wb_reg = "wb_reg_o", |s| 6;
    wb_mask = "wb_mask_o", |s| s.lanes;
    wb_data = "wb_data_o", |s| s.lanes * 32;
    done_valid = "done_valid_o", |s| 1;
    done_ready = "done_ready_i", |s| 1;
    done_warp = "done_warp_o", |s| 3;
    done_tag = "done_tag_o", |s| 8;
    done_fault = "done_fault_o", |s| s.lanes * 3;
    req_valid = "mem_req_valid_o", |s| 1;
    req_ready = "mem_req_ready_i", |s| 1;
    req_id = "mem_req_id_o", |s| 6;
    req_warp = "mem_req_warp_o", |s| 3;
    req_tag = "mem_req_tag_o", |s| 8;
    req_group = "mem_req_group_o", |s| 4;
    req_kind = "mem_req_kind_o", |s| 2;
    req_space = "mem_req_space_o", |s| 4;
    req_attr = "mem_req_attr_o", |s| Attr::WIDTH as usize;
    req_addr = "mem_req_addr_o", |s| 40;
    req_be = "mem_req_be_o", |s| s.line_bytes;
    req_data = "mem_req_data_o", |s| s.line_bytes * 8;
    rsp_valid = "mem_rsp_valid_i", |s| 1;
    rsp_ready = "mem_rsp_ready_o", |s| 1;
    rsp_id = "mem_rsp_id_i", |s| 6;
    rsp_data = "mem_rsp_data_i", |s| s.line_bytes * 8;
    rsp_error = "mem_rsp_error_i", |s| 1;
    rsp_exclusive_failed = "mem_rsp_exclusive_failed_i", |s| 1;
    rsp_scope = "mem_rsp_scope_i", |s| 2;
    rsp_last = "mem_rsp_last_i", |s| 1;
}
