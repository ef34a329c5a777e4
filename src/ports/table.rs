// SPDX-License-Identifier: MIT OR Apache-2.0
// THE table of the ports of rtl/lsu.sv, in its order: channel, direction, role, name in Rust, name in the RTL, content.
// Two readers include this file, each with its own `ports!`: src/ports.rs makes the descriptions and the struct with
// one value for each port, build/ports.rs the list from which the bridge takes the ports' addresses.

ports! {
    Unit {
        input Level clk "clk_i": BIT;
        input Level rst_n "rst_ni": BIT;
        input Level ctrl "ctrl_i": Holds::whole(Ctrl::LAYOUT);
    }
    Op {
        input Valid op_valid "op_valid_i": BIT;
        output Ready op_ready "op_ready_o": BIT;
        input Payload op "op_i": Holds::whole(Op::LAYOUT);
        input Payload op_active "op_active_i": Holds::LaneMask;
        input Payload op_helper "op_helper_i": Holds::LaneMask;
        input Payload op_predicate "op_predicate_i": Holds::LaneMask;
        input Payload op_addr "op_addr_i": Holds::Lanes(3 * 32, &Content::Array(3, &NUMBER));
    }
    Data {
        input Valid data_valid "data_valid_i": BIT;
        output Ready data_ready "data_ready_o": BIT;
        input Payload data "data_i": Holds::Lanes(32, &NUMBER);
    }
    WriteBack {
        output Valid wb_valid "wb_valid_o": BIT;
        input Ready wb_ready "wb_ready_i": BIT;
        output Payload wb_warp "wb_warp_o": WARP;
        output Payload wb_tag "wb_tag_o": TAG;
        output Payload wb_reg "wb_reg_o": Holds::Fixed(6, NUMBER);
        output Payload wb_mask "wb_mask_o": Holds::LaneMask;
        output Payload wb_data "wb_data_o": Holds::Lanes(32, &NUMBER);
    }
    Done {
        output Valid done_valid "done_valid_o": BIT;
        input Ready done_ready "done_ready_i": BIT;
        output Payload done_warp "done_warp_o": WARP;
        output Payload done_tag "done_tag_o": TAG;
        output Payload done_fault "done_fault_o": Holds::Lanes(FAULT_WIDTH, &Content::Number(Fault::CODES));
    }
    Request {
        output Valid req_valid "mem_req_valid_o": BIT;
        input Ready req_ready "mem_req_ready_i": BIT;
        output Payload req_id "mem_req_id_o": ID;
        output Payload req_warp "mem_req_warp_o": WARP;
        output Payload req_tag "mem_req_tag_o": TAG;
        output Payload req_group "mem_req_group_o": Holds::Fixed(4, NUMBER);
        output Payload req_kind "mem_req_kind_o": Holds::Fixed(2, Content::Number(ReqKind::CODES));
        output Payload req_space "mem_req_space_o": Holds::Fixed(4, Content::Number(Space::CODES));
        output Payload req_attr "mem_req_attr_o": Holds::whole(Attr::LAYOUT);
        output Payload req_addr "mem_req_addr_o": Holds::Fixed(ADDR_WIDTH as usize, NUMBER);
        output Payload req_be "mem_req_be_o": Holds::ByteMask;
        output Payload req_data "mem_req_data_o": Holds::Line;
    }
    Response {
        input Valid rsp_valid "mem_rsp_valid_i": BIT;
        output Ready rsp_ready "mem_rsp_ready_o": BIT;
        input Payload rsp_id "mem_rsp_id_i": ID;
        input Payload rsp_data "mem_rsp_data_i": Holds::Line;
        input Payload rsp_error "mem_rsp_error_i": BIT;
        input Payload rsp_exclusive_failed "mem_rsp_exclusive_failed_i": BIT;
        input Payload rsp_scope "mem_rsp_scope_i": Holds::Fixed(2, Content::Number(Scope::CODES));
        input Payload rsp_last "mem_rsp_last_i": BIT;
    }
}
