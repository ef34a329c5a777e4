// SPDX-License-Identifier: MIT OR Apache-2.0
//! The unit's own assertions about its environment: control registers stay while anything is in flight.

use gpu_lsu::{
    dut::{Dut, Pin},
    op::{Ctrl, Lanes, Range},
};

use crate::units::access;

fn pin(dut: &Dut, name: &str) -> Pin {
    dut.any_pin(name).unwrap_or_else(|| panic!("the unit has no port `{name}`"))
}

/// Sends one load that memory does not answer, or that no lane makes, and changes `trap_misaligned` this many cycles
/// after the handshake. Returns the RTL's report, if there is one.
fn change_after(cycles: usize, in_flight: bool) -> Option<String> {
    let mut dut = Dut::new(32).unwrap();
    let mut clock = pin(&dut, "clk_i");
    for name in dut.port_names().filter(|name| name.ends_with("_i")) {
        let mut pin = pin(&dut, name);
        pin.set_words(&vec![0; pin.len().div_ceil(4)]);
    }
    let mut ctrl = Ctrl::default();
    ctrl.alloc[0] = Range { base: 0, size: 0x1000 };
    pin(&dut, "ctrl_i").set_words(&ctrl.to_words());
    let mut tick = |dut: &mut Dut| {
        clock.set(false);
        dut.eval()?;
        clock.set(true);
        dut.eval()
    };
    pin(&dut, "rst_ni").set(false);
    tick(&mut dut).unwrap();
    pin(&dut, "rst_ni").set(true);
    pin(&dut, "wb_ready_i").set(true);
    pin(&dut, "done_ready_i").set(true);
    pin(&dut, "mem_req_ready_i").set(true);

    let load = access(gpu_lsu::sets::spa5::Opcode::Ld, 4, 0, &[(0, true)]);
    let Lanes { active, predicate, .. } = load.lanes;
    // Without an active lane it completes without an answer.
    pin(&dut, "op_active_i").set_words(&[if in_flight { active.bits() } else { 0 }]);
    pin(&dut, "op_predicate_i").set_words(&[predicate.bits()]);
    pin(&dut, "op_i").set_words(&load.op.to_words());
    pin(&dut, "op_valid_i").set(true);
    tick(&mut dut).unwrap();
    pin(&dut, "op_valid_i").set(false);
    for _ in 0..cycles {
        tick(&mut dut).unwrap();
    }
    ctrl.trap_misaligned = true;
    pin(&dut, "ctrl_i").set_words(&ctrl.to_words());
    (0..4).find_map(|_| tick(&mut dut).err()).map(|report| report.0)
}

#[test]
fn control_registers_stay_while_an_operation_is_in_flight() {
    // In the first stage, in the second, and while memory is silent.
    for cycles in [0, 1, 2, 9] {
        let report = change_after(cycles, true).unwrap_or_else(|| panic!("nothing after {cycles} cycles"));
        assert!(report.contains("PORT-OP (environment): a control register changed"), "{report}");
    }
    assert!(change_after(0, false).is_some());
    assert_eq!(change_after(9, false), None, "it is done");
}
