// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs: what their lines bind, and what they leave in memory.

use gpu_lsu::{
    clause::Clause,
    op::{Dimension, Fault, Resource, Shape, Tgsm, Uav},
    program::{Executed, Program, Session},
};

fn program(text: &str) -> Program {
    Program::parse("test.lsu", text).unwrap_or_else(|error| panic!("{:?}", error.problems))
}

fn played(program: &Program) -> (Session<'_>, Vec<Executed>) {
    let mut session = Session::new(program, Shape::with_lanes(32));
    let executed = program.steps.iter().map(|step| session.step(step)).collect();
    (session, executed)
}

fn dword(session: &Session<'_>, address: u64) -> u32 {
    (0..4).rev().fold(0, |word, at| word << 8 | u32::from(session.memory.byte(address + at)))
}

fn shared(session: &Session<'_>, offset: u64) -> u32 {
    (0..4).rev().fold(0, |word, at| word << 8 | u32::from(session.scratchpad.read(offset + at)))
}

fn example(name: &str) -> Program {
    let path = format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"));
    program(&std::fs::read_to_string(path).unwrap())
}

#[test]
fn bindings() {
    let text = "isa sm5
uav 0 raw 0x1000 0x40
uav 1 structured 0x2000 0x60 24
uav 2 typed buffer 0x3000 0x100 64
uav 3 typed 1darray 0x3000 0x100 16 4
uav 4 typed 2d 0x3000 0x1000 16 8 row 0x80
uav 5 typed 2darray 0x3000 0x1000 8 4 3
uav 6 typed 3d 0x3000 0x1000 8 4 3 row 64 slice 512
tgsm 0 raw 0x20 0x40
tgsm 1 structured 0x100 0x60 12
atomic_cmp_store u0, r0.x, r1.x, r2.x
";
    let program = program(text);
    let typed = |dimension: Dimension, size, width| Uav {
        kind: Resource::Typed as u8,
        dimension: dimension as u8,
        base: 0x3000,
        size,
        width,
        ..Uav::default()
    };
    let expected = [
        Uav { kind: Resource::Raw as u8, base: 0x1000, size: 0x40, ..Uav::default() },
        Uav { kind: Resource::Structured as u8, base: 0x2000, size: 0x60, stride: 24, ..Uav::default() },
        typed(Dimension::Buffer, 0x100, 64),
        Uav { depth: 4, slice_pitch: 64, ..typed(Dimension::Texture1dArray, 0x100, 16) },
        Uav { height: 8, row_pitch: 0x80, ..typed(Dimension::Texture2d, 0x1000, 16) },
        Uav { height: 4, depth: 3, row_pitch: 32, slice_pitch: 128, ..typed(Dimension::Texture2dArray, 0x1000, 8) },
        Uav { height: 4, depth: 3, row_pitch: 64, slice_pitch: 512, ..typed(Dimension::Texture3d, 0x1000, 8) },
        Uav::default(),
    ];
    assert_eq!(program.ctrl.uav, expected);
    assert_eq!(program.ctrl.tgsm[0], Tgsm { kind: Resource::Raw as u8, base: 0x20, size: 0x40, stride: 0 });
    assert_eq!(program.ctrl.tgsm[1], Tgsm { kind: Resource::Structured as u8, base: 0x100, size: 0x60, stride: 12 });
    assert_eq!(program.ctrl.check(&Shape::with_lanes(32)), Ok(()));
}

#[test]
fn refused_lines() {
    for (line, column, message) in [
        ("uav 8 raw 0 4", 5, "expected a slot, 0 to 7, found `8`"),
        ("uav 0 flat 0 4", 7, "expected `raw`, `structured` or `typed`, found `flat`"),
        ("uav 0 raw 2 4", 11, "`2` is no multiple of 4"),
        ("uav 0 raw 0xfffffffffc 8", 11, "`0xfffffffffc 8` runs past the 40 address bits"),
        ("uav 0 structured 0 64 0", 23, "expected a stride of 4 to 2048 bytes, found `0`"),
        ("uav 0 structured 0 64 2052", 23, "expected a stride of 4 to 2048 bytes, found `2052`"),
        ("uav 0 typed cube 0 64 4", 13, "expected a dimension: buffer, 1d, 1darray, 2d, 2darray or 3d, found `cube`"),
        ("uav 0 typed 2d 0 64 4 65536", 23, "`65536` is more elements than a dimension has"),
        ("uav 0 typed 2d 0 64 4 4 slice 4", 25, "expected the end of the line, found `slice`"),
        ("uav 0 typed 2d 0 64 0x40000000 4", 21, "`0x40000000 4` has a pitch past 32 bits"),
        ("tgsm 0 typed 0 4", 8, "expected `raw` or `structured`, found `typed`"),
        ("tgsm 0 raw 0x7ffc 8", 12, "`0x7ffc 8` runs past the scratchpad"),
        ("shared 0x100", 13, "expected `:` and what shared memory starts with, found the end of the line"),
        ("alloc 0x1000 0x1000", 1, "`alloc` belongs to another instruction set"),
        ("cb0[512].x = 1", 1, "`cb0[512]` cannot be given a value"),
        ("cb0[1].q = 1", 8, "expected x, y, z or w, found `q`"),
        ("atomic_cmp_store u8, r0.x, r1.x, r2.x", 1, "illegal instruction: the unit has u0 to u7 and g0 to g7"),
    ] {
        let error = Program::parse("test.lsu", &format!("isa sm5\n{line}\n")).expect_err(line);
        let problem = &error.problems[0];
        assert_eq!((problem.line, problem.column), (2, column), "{line}: {problem}");
        assert!(problem.message.starts_with(message), "{line}: {problem}");
    }
    let error = Program::parse("test.lsu", "isa sm5\ntgsm 1 raw 0 0x6000\ntgsm 0 raw 0 0x4000\n").unwrap_err();
    let problem = &error.problems[0];
    assert_eq!((problem.line, problem.column, problem.clause), (3, 12, Some(Clause::Sm5Stage)), "{problem}");
    assert!(problem.message.ends_with("is more than is left of shared memory"), "{problem}");
    for again in ["uav 0 raw 0 4", "tgsm 0 raw 0 4"] {
        let error = Program::parse("test.lsu", &format!("isa sm5\n{again}\n{again}\n")).unwrap_err();
        assert!(error.problems[0].message.ends_with("is given a second time"));
    }
}

#[test]
fn registers() {
    let text = "isa sm5
uav 0 raw 0x1000 0x40
r0 = 4*lane
r0x = 1
";
    assert_eq!(Program::parse("test.lsu", text).unwrap_err().problems[0].line, 4);
    let program = program(
        "isa sm5\nuav 0 raw 0x1000 0x100\nCB1[2].w = 5\nx0[1] = 4*lane\nvThreadID.y = lane\n\
         atomic_cmp_store u0, x0[1].z, -cb1[2].w, vThreadID.y\n",
    );
    let (lanes, data) = program.warps[0].operands(&program.steps[0].lowered);
    assert_eq!((lanes.addr[3], data[0][3], data[1][3]), ([12, 0, 0], 5u32.wrapping_neg(), 3));
}

#[test]
fn what_the_worked_example_leaves() {
    let program = example("sm5_worked.lsu");
    let (session, executed) = played(&program);
    assert_eq!(shared(&session, 0x400 + 56), 0x11);
    assert_eq!([0x10000, 0x10004].map(|address| dword(&session, address)), [0xf, 1]);
    assert_eq!(dword(&session, 0x10000 + 60), 0x63);
    let past = &executed[3];
    assert_eq!(past.plan.faults[..4], [Fault::None, Fault::Allocation, Fault::Allocation, Fault::None]);
    let contended = executed[4].pairs.map(|pair| pair.unwrap().matched());
    assert_eq!(contended.iter().filter(|stored| **stored).count(), 1);
    assert_eq!((contended[0], dword(&session, 0x20000)), (true, 15));
    assert!(executed[5].pairs.iter().all(|pair| pair.unwrap().matched()));
    assert_eq!(dword(&session, 0x20080), 32);
    assert!((0..8).all(|lane| dword(&session, 0x200c0 + 4 * lane) == 7));
    assert_eq!(executed[6].plan.requests.len(), 1);
    assert_eq!(dword(&session, 0x30000 + 24 + 20), u32::MAX);
    assert_eq!(executed[8].plan.faults[..3], [Fault::None, Fault::Undefined, Fault::Allocation]);
}

#[test]
fn what_the_forms_leave() {
    let program = example("sm5_forms.lsu");
    let (session, executed) = played(&program);
    // Each row and slice apart: 2D at 3 + 2 rows, 3D at 3, 2, 2.
    assert_eq!(dword(&session, 0x13000 + 4 * 3 + 2 * 0x80), 0x206);
    assert_eq!(dword(&session, 0x12000 + 4 * 3 + 2 * 0x100), 0x206);
    assert_eq!(dword(&session, 0x14000 + 4 * 3 + 2 * 32 + 2 * 128), 0x306);
    assert_eq!(dword(&session, 0x15000 + 4 * 3 + 2 * 0x40 + 2 * 0x200), 0x306);
    let failed = |at: usize| executed[at].plan.faults.iter().filter(|fault| **fault != Fault::None).count();
    assert_eq!([0, 1, 2, 3, 4, 5].map(failed), [1, 1, 4, 2, 4, 2]);
    assert_eq!(executed[6].plan.faults[..4], [Fault::None, Fault::Misaligned, Fault::None, Fault::Misaligned]);
    assert_eq!([failed(9), failed(10)], [2, 2]);
    assert!(executed[9].written.is_empty() && executed[10].bank_cycles == 0);
    // Lane 2 is the first that runs and is no helper.
    assert_eq!(dword(&session, 0x10000 + 4 * 63), 0x602);
    assert_eq!(executed[11].plan.active.bits(), 0b1100);
}

/// COM-BUSERR: nothing is written, and the lanes say so.
#[test]
fn a_bus_error() {
    let program = program(
        "isa sm5\nuav 0 raw 0x1000 0x100\nbus_error 0x1080 4\nr0.x = 0x40*lane\nactive = 0xf\n\
         atomic_cmp_store u0, r0.x, l(0), l(9)\n",
    );
    let (session, executed) = played(&program);
    assert_eq!(executed[0].plan.faults[..4], [Fault::None, Fault::None, Fault::Bus, Fault::Bus]);
    assert_eq!([0x1000, 0x1040, 0x1080, 0x10c0].map(|address| dword(&session, address)), [9, 9, 0, 0]);
    assert!(executed[0].pairs[2].is_none());
}
