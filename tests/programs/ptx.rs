// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs of PTX: directives, values, what reaches memory, and refusals.

use gpu_lsu::{
    op::{Fault, Kind, Private, Range, ReqKind, Semantics, Shape},
    program::{Executed, Program, Session},
    sets::Isa,
};

use super::{parse, problems};

/// Executes every step on a unit of four lanes.
fn played(program: &Program) -> (Session<'_>, Vec<Executed>) {
    let mut session = Session::new(program, Shape::with_lanes(4));
    let executed = program.steps.iter().map(|step| session.step(step)).collect();
    (session, executed)
}

fn bytes<const N: usize>(session: &Session<'_>, address: u64) -> [u8; N] {
    std::array::from_fn(|i| session.memory.byte(address + i as u64))
}

#[test]
fn directives_set_the_control_registers() {
    let program = parse(
        "isa ptx\nlanes 8\nwindow local 0x100 0x40\nwindow shared 0 32\nlocal 0x1000 64 32\nshared 0x40\n\
         alloc 0x2000 0x20\ntrap misaligned\nparam 0x3000 32 32\ncluster 0x4000 0x100\nvar gbl 0x2000\nvar prm 32\n\
         target sm_90a\nptx 8.3\nmemory 0x2000: .word 1\nshared 4: .word 7\nbus_error 5 1\n\
         st.param.b32 [prm+8], 1;\nst.global.b32 [gbl+-4], 1;\nst.b32 [loc+4], 1;\nst.b32 [sh], 1;\n",
    );
    let ctrl = &program.ctrl;
    assert_eq!((program.isa, program.lanes, ctrl.trap_misaligned), (Isa::Ptx, Some(8), true));
    assert_eq!(ctrl.local_window, Range { base: 0x100, size: 0x40 });
    assert_eq!(ctrl.local_memory, Private { base: 0x1000, stride: 64, size: 32 });
    assert_eq!(ctrl.param_memory, Private { base: 0x3000, stride: 32, size: 32 });
    assert_eq!((ctrl.cluster, ctrl.shared_size), (Range { base: 0x4000, size: 0x100 }, 0x40));
    assert_eq!((program.memory.len(), program.shared.len(), program.bus_errors.len()), (1, 1, 1));
    let addresses: Vec<u64> = program.steps.iter().map(|step| step.lowered.op.imm).collect();
    assert_eq!(addresses, [40, 0x1ffc, 0x104, 0]);
    assert!(program.hints().is_empty());
    let bare = parse("isa ptx\nst.local.b32 [0], 1;\n");
    assert!(bare.ctrl.check(&Shape::with_lanes(32)).is_ok() && bare.ctrl.param_memory.size > 0);
    assert_eq!(bare.hints().len(), 1);
}

/// A literal is as wide as the widest register.
#[test]
fn literals_have_128_bits() {
    for (value, words) in [
        ("0xfedcba98_76543210_89abcdef_01234567", [0x0123_4567, 0x89ab_cdef, 0x7654_3210, 0xfedc_ba98]),
        ("[0x1_0000_0000_0000_0000]", [0, 0, 1, 0]),
        ("340282366920938463463374607431768211455", [!0; 4]),
    ] {
        let program = parse(&format!("isa ptx\nlanes 4\n%q1 = {value}\nst.b128 [%rd1], %q1;\n"));
        let (_, data) = program.warps[0].operands(&program.steps[0].lowered);
        assert_eq!(data.iter().map(|beat| beat[0]).collect::<Vec<_>>(), words, "{value}");
    }
}

/// The page names registers that there are, and a blank line ends no table before its end.
#[test]
fn the_page_about_programs_is_true() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/program.md")).unwrap();
    let names: Vec<_> = page.split('`').filter(|code| code.starts_with('%') && !code.contains(' ')).collect();
    assert!(names.len() > 5, "{names:?}");
    for name in names {
        parse(&format!("isa ptx\n{name} = 1\nst.b32 [%rd2], 1;\n"));
    }
    let lines: Vec<&str> = page.lines().collect();
    for rows in lines.windows(3).filter(|rows| !rows[0].starts_with('|') && rows[1].starts_with('|')) {
        assert!(rows[2].starts_with("|---"), "{rows:?}");
    }
}

#[test]
fn values_have_the_width_of_their_register() {
    let program = parse(
        "isa ptx\nlanes 4\nwarp 2\n%h1 = -1\n%r1 = [1, 2]\n%rd1 = 0xfedcba9876543210 + lane\n%f1 = 0x3f800000\n%d1 = -2\n\
         %q1 = -3\n%pol = 1\n%p2 = lane < 3\nhelpers = 2\n\
         @!%p2 st.v4.b64 [%r1], {%rd1, _, %d1, %rd4095};\n@%p2 st.b128 [%rd1+8], %q1;\nst.b16 [%h1], %h1;\n",
    );
    let state = &program.warps[2];
    let (lanes, data) = state.operands(&program.steps[0].lowered);
    assert_eq!((lanes.active.bits() & 0xf, lanes.helper.bits(), data.len()), (0b1000, 2, 6));
    assert_eq!(
        [data[0][1], data[1][1], data[2][0], data[3][0], data[4][0]],
        [0x7654_3211, 0xfedc_ba98, 0xffff_fffe, !0, 0]
    );
    assert_eq!(lanes.addr[..3], [[1, 0, 0], [2, 0, 0], [0, 0, 0]]);
    let (lanes, data) = state.operands(&program.steps[1].lowered);
    assert_eq!((lanes.active.bits() & 0xf, data.len()), (0b0111, 4));
    assert_eq!((data[0][3], data[3][3], lanes.addr[3]), (-3i32 as u32, !0, [0x7654_3213, 0xfedc_ba98, 0]));
    let (lanes, data) = state.operands(&program.steps[2].lowered);
    assert_eq!((lanes.addr[0], data[0][0]), ([0xffff, 0, 0], 0xffff));
}

/// One policy an operation: the lowest lane's that executes.
#[test]
fn the_policy_is_the_lowest_lanes() {
    let store = "st.L2::cache_hint.b32 [%rd1], 1, %rd2;\n";
    let policy = |sets: &str| {
        let program =
            parse(&format!("isa ptx\nlanes 4\nalloc 0 0x1000\n%rd2 = 0x1_0000_0000 * lane + 7\n{sets}\n{store}"));
        let (_, executed) = played(&program);
        assert!(executed[0].op.attr.policy_valid);
        executed[0].op.attr.policy
    };
    assert_eq!(policy(""), 7);
    assert_eq!(policy("active = 0xc"), 0x2_0000_0007);
    assert_eq!(policy("active = 0xc\nhelpers = 4"), 0x3_0000_0007);
    assert_eq!(policy("active = 0"), 0);
}

/// Elements of arrays, sums, names and predicates, as far as memory.
#[test]
fn indexed_addresses_and_sums_are_executed() {
    let program = parse(
        "isa ptx\nlanes 4\nalloc 0x1000 0x2000\nlocal 0x20000 32 32\nshared 0x100\nvar gbl 0x1000\nvar sh 0x40\n\
         var cst 0x60\n%r1 = 16 * lane\n%rd2 = 0x500000010 - 16 * lane\n%r3 = 0xffffffff\n%h4 = 0xffff\n%p1 = lane < 2\n\
         st.b32 gbl[%r1+4], %r3+2;\nst.global.b64 gbl[%rd2+0x100], %r3+1;\nst.b64 gbl[%r1+0x208], sh+-0x41;\n\
         st.shared.b32 sh[%r1], cst+4;\nst.global.v2.u32 gbl[%r1+0x300], {%r3, %p1};\nst.b32 [gbl+0x400], %h4+1;\n\
         st.volatile.local.b16 loc[2], 7;\nst.b32 gbl[%r1+-32], 9;\n",
    );
    let (session, executed) = played(&program);
    for lane in 0..4u64 {
        assert_eq!(bytes(&session, 0x1004 + 16 * lane), [1, 0, 0, 0]);
        assert_eq!(bytes(&session, 0x1200 + 8 + 16 * lane), [!0, !0, !0, !0, 0, 0, 0, 0]);
        assert_eq!(bytes(&session, 0x1300 + 16 * lane), [!0, !0, !0, !0, u8::from(lane < 2), 0, 0, 0]);
        assert_eq!(bytes(&session, 0x20002 + 32 * lane), [7, 0]);
    }
    // The sums of the second are 0x110, 0x100, 0xf0 and 0xe0: the low half of the register counts alone.
    assert_eq!(executed[1].plan.addr[..4], [0x1110, 0x1100, 0x10f0, 0x10e0]);
    assert_eq!(bytes(&session, 0x10e0), [0; 8]);
    assert_eq!((session.scratchpad.read(0x40), session.scratchpad.read(0x44)), (0x64, 0));
    assert_eq!(bytes(&session, 0x1400), [0; 4]);
    // An index below 0 is one past 4 GiB: no byte of the variable.
    let faults = &executed[7].plan.faults;
    assert_eq!(faults[..4], [Fault::Allocation, Fault::Allocation, Fault::None, Fault::None]);
}

/// Element by element, the lowest first; a sink's bytes stay.
#[test]
fn the_worked_examples() {
    let program = parse(
        "isa ptx\nlanes 4\nalloc 0x1000 0x2000\nmemory 0x2000: .word 9, 9, 9\nactive = 1\n%rd1 = 0x1000\n%rd2 = 0x2000\n\
         %r1 = 0xdeadbeef\n%f3 = 3\nst.v4.b32 [%rd1], {1, 2, 3, 4};\nst.b8 [%rd1+0x11], %r1;\n\
         st.global.v8.f32 [%rd2], {0f00000001, _, %f3, %f3, %f3, %f3, %f3, %f3};\n",
    );
    let (session, executed) = played(&program);
    assert_eq!(bytes(&session, 0x1000), [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
    assert_eq!(bytes(&session, 0x1010), [0, 0xef, 0, 0]);
    assert_eq!(executed[2].plan.requests[0].byte_enable, 0xffff_ff0f);
    assert_eq!(bytes(&session, 0x2000), [1, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0]);
    assert!(executed.iter().all(|step| step.op.kind == Kind::Store as u8 && step.plan.faults[0] == Fault::None));
}

#[test]
fn each_space_goes_its_way() {
    let program = parse(
        "isa ptx\nlanes 4\nparam 0x10000 32 32\nlocal 0x20000 32 32\ncluster 0x30000 32\nactive = 3\n%r1 = 8\n\
         st.param.b32 [prm+4], 1;\nst.local.b32 [%r1], 2;\nst.shared::cluster.b32 [%r1], 3;\nst.shared.b32 [%r1], 4;\n\
         st.b32 [loc+12], 5;\nst.mmio.relaxed.sys.b32 [loc], 6;\n",
    );
    let (session, executed) = played(&program);
    for (address, byte) in
        [(0x10004, 1), (0x10024, 1), (0x20008, 2), (0x20028, 2), (0x30008, 3), (0x2002c, 5), (0x20000, 0)]
    {
        assert_eq!(session.memory.byte(address), byte, "{address:#x}");
    }
    assert_eq!((executed[3].plan.shared.bits(), executed[3].plan.requests.len()), (3, 0));
    let mmio = &executed[5];
    assert_eq!((mmio.op.attr.semantics, mmio.plan.faults[1]), (Semantics::Mmio as u8, Fault::Illegal));
    assert!(executed.iter().flat_map(|step| &step.plan.requests).all(|request| request.kind == ReqKind::Write));
}

#[test]
fn each_refusal_has_its_place_and_rule() {
    for (lines, problem) in [
        ("frob 1", "line 2, column 1: expected a directive, a value or an instruction, found `frob`"),
        ("registers 4", "line 2, column 1: `registers` belongs to another instruction set"),
        ("buffer ring 0 4", "line 2, column 1: `buffer` belongs to another instruction set"),
        ("window local 8 32", "line 2, column 14: `8` is no multiple of 32"),
        ("param 0 8 32", "line 2, column 9: `8` is no multiple of 32"),
        (
            "param 0xffffffffe0 32 64",
            "line 2, column 7: `0xffffffffe0 32 64` does not fit in the address space (COM-PRIVATE)",
        ),
        ("param 0 0 0\nparam 0 0 0", "line 3, column 7: `0 0 0` is given a second time"),
        ("cluster 0xffffffffe0 64", "line 2, column 9: `0xffffffffe0 64` runs past the 40 address bits"),
        ("var x 0", "line 2, column 5: expected the name of a variable, found `x`"),
        ("var gbl 4", "line 2, column 9: `4` is no multiple of 32"),
        ("target 90", "line 2, column 8: expected a target such as `sm_90`, found `90`"),
        ("ptx 8", "line 2, column 6: expected a version such as `8.3`, found the end of the line"),
        ("ptx 8.70000", "line 2, column 5: expected a version such as `8.3`, found `8.70000`"),
        ("R1 = 1", "line 2, column 1: `R1` cannot be given a value"),
        ("%x1 = 1", "line 2, column 1: `%x1` cannot be given a value"),
        ("%r4096 = 1", "line 2, column 1: `%r4096` cannot be given a value"),
        ("%p248 = 1", "line 2, column 1: `%p248` cannot be given a value"),
        ("%r1", "line 2, column 4: expected `=` and a value, found the end of the line"),
        ("%r1 = 1\n%r01 = 1", "line 3, column 1: `%r01` is given a second time"),
        ("%h1 = 0x10000", "line 2, column 7: `0x10000` does not fit in 16 bits"),
        ("%h1 = -32769", "line 2, column 7: `-32769` does not fit in 16 bits"),
        ("%f1 = 0x100000000", "line 2, column 7: `0x100000000` does not fit in 32 bits"),
        ("%rd1 = 0x10000000000000000", "line 2, column 8: `0x10000000000000000` does not fit in 64 bits"),
        (
            "%rd1 = 0xffffffffffffffffffffffffffffffff",
            "line 2, column 8: `0xffffffffffffffffffffffffffffffff` does not fit in 64 bits",
        ),
        (
            "%p1 = 0xffffffffffffffffffffffffffffffff < 1",
            "line 2, column 7: `0xffffffffffffffffffffffffffffffff` does not fit in 127 bits",
        ),
        ("%f1 = 1.5e3", "line 2, column 7: `1.5e3` is no integer"),
        ("%d1 = 0xffffffffffffffff + 1", "line 2, column 7: `0xffffffffffffffff + 1` does not fit in 64 bits"),
        ("%p1 = -1", "line 2, column 7: `-1` is no mask"),
        ("st.b32 [%rd1], 1;\n%r1 = 1", "line 3, column 1: `%r1` starts after its warp did"),
        ("st.b32 [%rd1], 1;\nvar sh 0", "line 3, column 1: `var` comes after an instruction"),
        (" st.global.release.b32 [%rd1], %r2;", "line 2, column 11: `.release` has no scope (PTX-L3)"),
        ("st.const.b32 [cst], 1;", "line 2, column 3: `.const` is no modifier of `st` (PTX-L1)"),
        (
            "@%p1 st.param.b32 [prm], 1;",
            "line 2, column 1: `@%p1` cannot guard a store to a parameter of a call (PTX-L15)",
        ),
        ("st.b32 [100], 1;", "line 2, column 8: `[100]` is a number (PTX-L16)"),
        ("st.b32 [x], 1;", "line 2, column 9: `x` is not declared (PTX-L17)"),
        ("ST.b32 [%rd1], 1;", "line 2, column 1: expected `st`, found `ST` (PTX-SYNTAX)"),
        (
            "target sm_50\nst.weak.b32 [%rd1], 1;",
            "line 3, column 3: `.weak` needs sm_70, the target is sm_50 (PTX-TARGET)",
        ),
        (
            "target sm_90\nptx 8.2\nst.b128 [%rd1], 1;",
            "line 4, column 3: `.b128` needs PTX 8.3, the version is 8.2 (PTX-TARGET)",
        ),
    ] {
        assert_eq!(problems(&format!("isa ptx\n{lines}\n")), [problem], "{lines}");
    }
    for line in ["param 0 0 0", "cluster 0 32", "var gbl 0", "target sm_90", "ptx 8.3", "%r1 = 1"] {
        assert_eq!(problems(&format!("isa spa5\n{line}\nLD R1, [R2]\n")).len(), 1, "{line}");
    }
}
