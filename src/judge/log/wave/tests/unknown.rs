// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves with unknown bits.

use super::*;
use crate::{
    clause::Clause,
    op::{AddrMode, Attr, Ctrl, Kind, Op, Range, Space},
};

/// The bits of a port as a VCD has them, the highest first; those in `unknown` are unknown.
fn partly(width: usize, known: &[u32], unknown: &[u32]) -> String {
    let has = |words: &[u32], at: usize| words.get(at / 32).is_some_and(|word| word >> (at % 32) & 1 == 1);
    let bit = |at: usize| match (has(unknown, at), has(known, at)) {
        (true, _) => 'x',
        (_, true) => '1',
        _ => '0',
    };
    (0..width).rev().map(bit).collect()
}

fn access(kind: Kind, element_bytes: u8) -> Op {
    let (kind, addr_mode) = (kind as u8, AddrMode::Reg32 as u8);
    Op { kind, addr_mode, element_bytes, element_count: 1, element_mask: 1, ..Op::default() }
}

/// Everything that SPA 5.0 does not have.
fn of_others() -> Op {
    Op {
        stage: 3,
        await_last: true,
        slot: 7,
        array_base: 0x1fff,
        array_size: 0x1fff,
        elem_size: 3,
        use_index: true,
        present_gprs: 0xffff,
        component_select: 0xfff,
        one_is_float: true,
        ..Op::default()
    }
}

/// The reports of a wave in which this operation is taken, by lanes 0 and 1, of which 1 is a helper.
fn of_op(op: &Op, unknown: &Op, sets: &[(&str, &str)]) -> Vec<String> {
    let mut vcd = Vcd::new();
    vcd.started().set("op_valid_i", "1").set("op_ready_o", "1").set("op_active_i", "11").set("op_helper_i", "10");
    vcd.set("op_i", &partly(Op::LAYOUT.width, &op.to_words(), &unknown.to_words()));
    sets.iter().for_each(|(port, bits)| _ = vcd.set(port, bits));
    vcd.edge();
    vcd.reports()
}

#[test]
fn registers_of_other_operations_may_be_unknown() {
    let told = |op: &Op, unknown: &Ctrl| {
        let ctrl = partly(Ctrl::LAYOUT.width, &[], &unknown.to_words());
        of_op(op, &Op::default(), &[("ctrl_i", &ctrl)]).pop().unwrap_or_default()
    };
    let mut unknown = Ctrl::default();
    (unknown.uav[4].width, unknown.tgsm[1].base, unknown.buffer[2].size) = (u32::MAX, 4, 64);
    let load = access(Kind::Load, 4);
    let pairs =
        |slot: u8| Op { slot, addr_mode: AddrMode::Raw as u8, space: Space::Uav as u8, ..access(Kind::CmpStore, 4) };
    assert_eq!([told(&load, &unknown), told(&pairs(3), &unknown)], ["", ""]);
    let own = told(&pairs(4), &unknown);
    assert!(own.starts_with("PORT-OP (environment): `ctrl_i.uav[4].width` is unknown"), "{own}");
    unknown.alloc[0].size = 1;
    assert!(told(&load, &unknown).contains("`ctrl_i.alloc[0].size` is unknown"));
}

#[test]
fn fields_of_other_instruction_sets_may_be_unknown() {
    let load = access(Kind::Load, 4);
    assert!(of_op(&load, &of_others(), &[]).is_empty());
    assert!(of_op(&load, &Op { sign_extend: true, imm: u64::MAX << 32, ..Op::default() }, &[]).is_empty());
    let told = |op: &Op, unknown: Op| of_op(op, &unknown, &[]).pop().unwrap_or_default();
    let begins = |told: String, with: &str| assert!(told.starts_with(with), "{told}");
    begins(
        told(&load, Op { imm: 1 << 31, ..Op::default() }),
        "PORT-OP (environment): `op_i.imm` is unknown in cycle 2",
    );
    begins(
        told(&load, Op { suppress_helpers: true, ..Op::default() }),
        "PORT-OP (environment): `op_i.suppress_helpers`",
    );
    begins(
        told(&access(Kind::Load, 2), Op { sign_extend: true, ..Op::default() }),
        "PORT-OP (environment): `op_i.sign",
    );
    // A wider immediate, and one that nobody adds.
    let imm = || Op { imm: 1 << 63, ..Op::default() };
    begins(told(&Op { addr_mode: AddrMode::Reg64 as u8, ..load }, imm()), "PORT-OP (environment): `op_i.imm`");
    let burst = Op {
        addr_mode: AddrMode::Array as u8,
        space: Space::Buffer as u8,
        element_count: 4,
        element_mask: 15,
        array_size: 1,
        slot: 2,
        ..load
    };
    assert_eq!(told(&burst, imm()), "");
    // A stage has its own scratch buffer, and no other.
    let stage = || Op { stage: 3, ..Op::default() };
    assert_eq!(told(&burst, stage()), "");
    begins(told(&Op { slot: 0, ..burst }, stage()), "PORT-OP (environment): `op_i.stage`");
    begins(told(&burst, Op { array_base: 1, ..Op::default() }), "PORT-OP (environment): `op_i.array_base`");
    // An illegal operation faults, whatever else it has.
    let illegal = Op { array_size: 0, ..burst };
    let rest = Op { array_size: 0, component_select: 0, attr: Attr { cache_op: 7, ..Attr::default() }, ..of_others() };
    assert_eq!(told(&illegal, rest), "");
    begins(told(&illegal, Op { array_size: 1, ..Op::default() }), "PORT-OP (environment): `op_i.array_size`");
}

#[test]
fn lanes_have_the_words_that_their_addresses_need() {
    let (load, none) = (access(Kind::Load, 4), Op::default());
    // Lanes 3 to 0, each with words 2 to 0.
    let addr = |words: &[usize]| {
        let word = |at| if words.contains(&at) { "x" } else { "0" }.repeat(32);
        (0..12).rev().map(word).collect::<String>()
    };
    let rest = addr(&[11, 10, 9, 8, 7, 6, 5, 4, 2, 1]);
    assert!(of_op(&load, &none, &[("op_addr_i", &rest)]).is_empty());
    let wide = Op { addr_mode: AddrMode::Reg64 as u8, ..load };
    let reports = of_op(&wide, &none, &[("op_addr_i", &rest)]);
    assert!(reports[0].starts_with("PORT-OP (environment): `op_addr_i[0][1]` is unknown"), "{reports:?}");
    assert!(of_op(&Op { addr_mode: AddrMode::Abs as u8, ..load }, &none, &[("op_addr_i", "x")]).is_empty());
    // Helpers of a load execute, and those of a store do not.
    let (helper, predicate) = (addr(&[3]), ("op_predicate_i", "xxx0"));
    let store = Op { suppress_helpers: true, ..access(Kind::Store, 4) };
    assert!(of_op(&store, &none, &[("op_addr_i", &helper), predicate]).is_empty());
    assert_eq!(of_op(&load, &none, &[("op_addr_i", &helper), predicate]).len(), 2);
    let generic = Op { space: Space::Generic as u8, addr_mode: AddrMode::Reg64 as u8, ..access(Kind::Store, 4) };
    assert!(of_op(&generic, &none, &[("op_predicate_i", "x")]).is_empty());
    // Who is a helper matters only where helpers are suppressed.
    assert!(of_op(&load, &none, &[("op_helper_i", "x")]).is_empty());
    assert_eq!(of_op(&store, &none, &[("op_helper_i", "x")]).len(), 1);
}

/// Only memory from 0x1000 on is allocated; lane 3 has an address outside, lane 2 is not active, and lane 1 a helper.
#[test]
fn data_matter_where_they_are_stored() {
    let ctrl = Ctrl { alloc: [Range { base: 0x1000, size: 0x1000 }; 8], ..Ctrl::default() };
    let reports = |bytes: u8, data: &str, first: bool| {
        let op = Op { suppress_helpers: true, imm: 0x1000, ..access(Kind::Store, bytes) };
        let mut vcd = Vcd::new();
        vcd.set("ctrl_i", &partly(Ctrl::LAYOUT.width, &ctrl.to_words(), &[])).started();
        let offer =
            |vcd: &mut Vcd| _ = vcd.set("data_valid_i", "1").set("data_ready_o", "1").set("data_i", data).edge();
        let issue = |vcd: &mut Vcd| {
            vcd.set("op_valid_i", "1").set("op_ready_o", "1").set("op_active_i", "1011").set("op_helper_i", "10");
            vcd.set("op_predicate_i", "1111").set("op_addr_i", &format!("1{}", "0".repeat(32 * 9 + 30)));
            vcd.set("op_i", &partly(Op::LAYOUT.width, &op.to_words(), &[])).edge().set("op_valid_i", "0");
        };
        if first {
            offer(&mut vcd);
            vcd.set("data_valid_i", "0").edge();
            issue(&mut vcd);
        } else {
            issue(&mut vcd);
            offer(&mut vcd);
        }
        vcd.set("data_valid_i", "0").edge();
        vcd.reports()
    };
    let lanes = |lanes: [&str; 4]| lanes.concat();
    let (x, zero) = ("x".repeat(32), "0".repeat(32));
    for first in [false, true] {
        assert!(reports(4, &lanes([&x, &x, &x, &zero]), first).is_empty());
        let cycle = if first { 2 } else { 3 };
        let told = format!("PORT-DATA (environment): `data_i[0]` is unknown in cycle {cycle}: {}x", "0".repeat(31));
        assert_eq!(reports(4, &lanes([&x, &x, &x, &format!("{}x", "0".repeat(31))]), first), [told]);
        let narrow = format!("{}{}", "x".repeat(16), "0".repeat(16));
        assert!(reports(2, &lanes([&x, &x, &x, &narrow]), first).is_empty());
        assert_eq!(reports(4, &lanes([&x, &x, &x, &narrow]), first).len(), 1);
    }
}

/// Data whose operation never came, or is lost in a reset, are nobody's.
#[test]
fn data_of_no_operation_may_be_unknown() {
    let mut vcd = Vcd::new();
    vcd.started().set("data_valid_i", "1").set("data_ready_o", "1").set("data_i", "x").edge();
    vcd.set("data_valid_i", "0").set("rst_ni", "0").edge().set("rst_ni", "1").edge();
    assert!(vcd.reports().is_empty());
}

#[test]
fn a_refusal_is_of_a_pair() {
    let answer = |kind: &str| {
        let mut vcd = Vcd::new();
        vcd.started().set("mem_req_valid_o", "1").set("mem_req_ready_i", "1").set("mem_req_be_o", "1");
        vcd.set("mem_req_kind_o", kind).edge().set("mem_req_valid_o", "0");
        vcd.set("mem_rsp_valid_i", "1").set("mem_rsp_ready_o", "1").set("mem_rsp_exclusive_failed_i", "x").edge();
        vcd.reports().len()
    };
    assert_eq!(["0", "1", "10", "11"].map(answer), [0, 0, 1, 1]);
}

#[test]
fn what_is_not_promised_may_be_unknown() {
    let reports = |left_out: Option<Clause>| {
        let mut vcd = Vcd::new();
        vcd.started().set("mem_req_valid_o", "1").set("mem_req_attr_o", "x").set("mem_req_group_o", "x").edge();
        let mut promises = Promises::OURS;
        left_out.into_iter().for_each(|clause| promises.not_kept.insert(clause).unwrap());
        let log = vcd.read(&Names { promises, ..Names::default() }).unwrap().log;
        let ports = ["mem_req_group_o", "mem_req_attr_o"];
        let reports: Vec<_> = log
            .entries()
            .iter()
            .filter_map(|entry| match entry.event {
                Event::Report(number) => Some(log.reported(number).text.clone()),
                _ => None,
            })
            .collect();
        ports.map(|port| reports.iter().any(|report| report.contains(port)))
    };
    assert_eq!(reports(None), [true, true]);
    assert_eq!(reports(Some(Clause::PortGroup)), [false, true]);
    assert_eq!(reports(Some(Clause::ComAttr)), [true, false]);
}

/// As `$dumpoff` and `$dumpon` leave it.
#[test]
fn a_clock_that_is_unknown_between_edges_hides_cycles() {
    let mut vcd = Vcd::new();
    vcd.set("clk_i", "x").started().edge();
    vcd.text += "#32\n";
    vcd.set("clk_i", "x");
    // The dump may be switched off to the end.
    assert_eq!(vcd.read(&Names::default()).unwrap().cycles, 3);
    vcd.time += 100;
    vcd.edge();
    let error = vcd.read(&Names::default()).unwrap_err();
    assert!(matches!(error, WaveError::Gap { from: 32, to: 135, .. }), "{error}");
}
