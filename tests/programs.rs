// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs: the shipped ones, what the directives set, how values reach an operation, and every refusal.

use std::{fs, path::Path};

use gpu_lsu::{
    op::{AddrMode, Buffer, Cache, Fault, LaneMask, Private, Range, Shape},
    program::{Program, ProgramError, Session},
    sets::Isa,
};
use proptest::prelude::*;

#[path = "programs/ptx.rs"]
mod ptx;

fn parse(text: &str) -> Program {
    Program::parse("test.lsu", text).unwrap_or_else(|error| panic!("{error}"))
}

fn problems(text: &str) -> Vec<String> {
    let ProgramError { problems, .. } = Program::parse("test.lsu", text).expect_err(text);
    let shown = |problem: &gpu_lsu::program::Problem| match problem.clause {
        Some(clause) => format!("{problem} ({clause})"),
        None => problem.to_string(),
    };
    problems.iter().map(shown).collect()
}

#[test]
fn shipped_programs_are_legal() {
    let mut count = 0;
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "lsu") {
            let program = parse(&fs::read_to_string(&path).unwrap());
            assert!(!program.steps.is_empty() && program.hints().is_empty(), "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 3);
}

#[test]
fn compiled_words_are_what_their_comments_say() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/spa5_saxpy.lsu")).unwrap();
    for step in parse(&text).steps {
        assert!(step.text.ends_with(&format!("// {}", step.inst)), "{}", step.text);
    }
}

#[test]
fn directives_set_the_control_registers() {
    let program = parse(
        "isa spa5 // first\nlanes 8\nregisters 16\nwindow local 0x100 0x40\nwindow shared 0 32\nlocal 0x1000 64 32\n\
         shared 0x40\nalloc 0x2000 0x20\nalloc 0x4000 0x20\ntrap misaligned\nmemory 0x2001: 01 2 ff\n\
         memory 0x2000: .word 1, -1,\t0xffff_ffff\nshared 4: .word 7\nbus_error 5 1\nST [0x10], RZ",
    );
    let ctrl = &program.ctrl;
    assert_eq!((program.lanes, program.register_count, ctrl.trap_misaligned), (Some(8), 16, true));
    assert_eq!(ctrl.local_window, Range { base: 0x100, size: 0x40 });
    assert_eq!(ctrl.shared_window, Range { base: 0, size: 32 });
    assert_eq!(ctrl.local_memory, Private { base: 0x1000, stride: 64, size: 32 });
    assert_eq!(ctrl.shared_size, 0x40);
    assert_eq!(ctrl.alloc[..3], [(0x2000, 0x20), (0x4000, 0x20), (0, 0)].map(|(base, size)| Range { base, size }));
    assert_eq!((program.memory[0].address, &program.memory[0].bytes[..]), (0x2001, &[1, 2, 255][..]));
    assert_eq!(program.memory[1].bytes[..8], [1, 0, 0, 0, 255, 255, 255, 255]);
    assert_eq!((program.shared[0].address, program.bus_errors[0]), (4, Range { base: 5, size: 1 }));
}

#[test]
fn operands_come_from_the_registers() {
    let program = parse(
        "isa spa5\nlanes 4\nregisters 8\nwarp 2\nR2 = (lane + 1) * 0x10 - -warp\nR3 = [1, 2]\nR4 = 7 % 4 + 9 / 2\n\
         R5 = -lane\nP1 = lane < 3\nP2 = 0x5\nhelpers = 2\nactive = lane != 0\n@P1 ST.E.CS.64 [R2-1], R4, P2\nLD.S8 R6, [R9]\n",
    );
    let (store, load) = (&program.steps[0], &program.steps[1]);
    let mut state = program.warps[2].clone();
    let (lanes, data) = state.operands(&store.lowered);
    assert_eq!([lanes.active, lanes.predicate, lanes.helper].map(LaneMask::bits), [0b0110, 0b0101, 0b0010]);
    assert_eq!(lanes.addr[..4], [[0x12, 1, 0], [0x22, 2, 0], [0x32, 0, 0], [0x42, 0, 0]]);
    assert_eq!((data.len(), data[0][3], data[1][3]), (2, 7, 3u32.wrapping_neg()));
    let op = store.lowered.op;
    assert_eq!((op.warp, op.imm, op.element_bytes, op.suppress_helpers), (2, u64::MAX, 8, true));
    assert_eq!((op.addr_mode, op.attr.cache_op), (AddrMode::Reg64 as u8, Cache::Cs as u8));
    // R9 is not below the 8 registers: an absolute address.
    assert_eq!((load.lowered.op.addr_mode, load.lowered.op.sign_extend), (AddrMode::Abs as u8, true));
    state.write_back(&load.lowered, 0, LaneMask::only(1), &[9; 32]);
    assert_eq!(state.read(Some(6))[..3], [0, 9, 0]);
    state.write_back(&load.lowered, 1, LaneMask::ALL, &[9; 32]);
    assert_eq!(state.read(Some(7)), [0; 32]);
}

/// As on a command line that wants the control registers alone.
#[test]
fn a_header_may_stand_alone() {
    let header = |text: &str| Program::header("test.lsu", text);
    assert_eq!(header("isa spa5\nalloc 32 64\n").unwrap().ctrl.alloc[0], Range { base: 32, size: 64 });
    let told = header("isa spa5\nalloc 32 0\n").unwrap_err().to_string();
    assert!(told.contains("`32 0` allocates nothing"), "{told}");
    assert!(header("# nothing\n").is_err() && Program::parse("test.lsu", "isa spa5\nalloc 32 64\n").is_err());
}

#[test]
fn each_refusal_has_its_place_and_rule() {
    for (lines, problem) in [
        ("", "line 2, column 1: expected an instruction, found the end of the program"),
        ("frob 1", "line 2, column 1: expected a directive, a value or an instruction, found `frob`"),
        ("isa spa5", "line 2, column 5: `spa5` is given a second time"),
        ("isa r800", "line 2, column 5: expected the name of an instruction set, found `r800`"),
        ("lanes 5", "line 2, column 7: expected 4, 8, 16 or 32 lanes, found `5`"),
        ("registers 256", "line 2, column 11: expected 1 to 255 registers, found `256`"),
        ("R1 = 1\nlanes 4", "line 3, column 7: `4` comes after a starting value"),
        ("window texture 0 0", "line 2, column 8: expected `local` or `shared`, found `texture`"),
        ("window local 8 0", "line 2, column 14: `8` is no multiple of 32 (SPA5-STRADDLE)"),
        ("window local 0x10000000000 0", "line 2, column 14: `0x10000000000` does not fit in the 40 address bits"),
        ("alloc 0xffffffffe0 64", "line 2, column 7: `0xffffffffe0 64` runs past the 40 address bits"),
        ("alloc 32", "line 2, column 9: expected a number, found the end of the line"),
        ("alloc 32 0", "line 2, column 7: `32 0` allocates nothing"),
        ("alloc 32 32 32", "line 2, column 13: expected the end of the line, found `32`"),
        (
            "local 0xff00000000 0x2000000 0x20",
            "line 2, column 7: `0xff00000000 0x2000000 0x20` does not fit in the address space (COM-PRIVATE)",
        ),
        ("local 0x20 0xffffffe0 0x20\nlocal 0 0 0", "line 3, column 7: `0 0 0` is given a second time"),
        ("local 0 0x1_0000_0000 0", "line 2, column 9: `0x1_0000_0000` does not fit in 32 bits"),
        ("shared 32800", "line 2, column 8: `32800` is more than the scratchpad has"),
        ("shared 8", "line 2, column 8: `8` is no multiple of 32 (SPA5-STRADDLE)"),
        ("trap everything", "line 2, column 6: expected `misaligned`, found `everything`"),
        ("memory 2: .word 1", "line 2, column 8: `2` is no multiple of 4"),
        ("memory 4: .half 1", "line 2, column 12: expected `word`, found `half`"),
        ("memory 4: .word lane", "line 2, column 17: `lane` depends on the lane"),
        ("memory 4: 100", "line 2, column 11: expected a byte of two hexadecimal digits, found `100`"),
        ("memory 4", "line 2, column 9: expected `:`, found the end of the line"),
        ("memory 0xffffffffff: 1 2", "line 2, column 8: `0xffffffffff` runs past the 40 address bits"),
        ("memory 0xffffffffffffffff: 1", "line 2, column 8: `0xffffffffffffffff` runs past the 40 address bits"),
        ("shared 32768: 1", "line 2, column 8: `32768` runs past the 32768 bytes of shared memory"),
        ("warp 8", "line 2, column 6: expected a warp, 0 to 7, found `8`"),
        ("R255 = 1", "line 2, column 1: `R255` cannot be given a value"),
        ("RZ = 1", "line 2, column 1: `RZ` cannot be given a value"),
        ("P7 = 1", "line 2, column 1: `P7` cannot be given a value"),
        (" = 1", "line 2, column 2: `=` cannot be given a value"),
        ("R1 = 1\nR1 = 1", "line 3, column 1: `R1` is given a second time"),
        ("R1 = 0x1_0000_0000", "line 2, column 6: `0x1_0000_0000` does not fit in 32 bits"),
        ("R1 = -2147483649", "line 2, column 6: `-2147483649` does not fit in 32 bits"),
        ("R1 = 2 * (lane / 0)", "line 2, column 11: `lane / 0` divides by zero"),
        ("R1 = (1", "line 2, column 8: expected `)`, found the end of the line"),
        ("R1 = 1 2", "line 2, column 8: expected the end of the line, found `2`"),
        ("R1 = lame", "line 2, column 6: expected a number, `lane` or `warp`, found `lame`"),
        ("R1 = [1, 2", "line 2, column 11: expected `,` or `]`, found the end of the line"),
        ("lanes 4\nR1 = [1,2,3,4,5]", "line 3, column 15: `5` is one value more than there are lanes"),
        ("P0 = lane", "line 2, column 6: `lane` is no mask"),
        ("P0 = lane = 4", "line 2, column 11: expected `<`, `<=`, `>`, `>=`, `==` or `!=`, found `=`"),
        ("P0 = -1", "line 2, column 6: `-1` is no mask"),
        ("ST [R1], R2\nR1 = 1", "line 3, column 1: `R1` starts after its warp did"),
        ("ST [R1], R2\nalloc 0 32", "line 3, column 1: `alloc` comes after an instruction"),
        ("ST [R1], Q2", "line 2, column 10: expected a register, found `Q2`"),
        (
            "bc8000000147010",
            "line 2, column 1: expected a directive, a value or an instruction, found `bc8000000147010`",
        ),
        ("9c8000000147010", "line 2, column 1: expected a word of 16 hexadecimal digits, found `9c8000000147010`"),
        ("001f8000fc0007e0", "line 2, column 1: `001f8000fc0007e0` is neither LD nor ST"),
        ("ST.INVALIDSIZE7 [R2], R4", "line 2, column 1: illegal instruction: ST has no size 7 (SPA5-SIZE)"),
        (
            " LD.E R4, [R3]",
            "line 2, column 2: illegal instruction: a 64-bit address cannot start at the odd register R3 (SPA5-EA-PAIR)",
        ),
        (
            "LD.64 R5, [R3]",
            "line 2, column 1: illegal instruction: a 64-bit datum cannot start at R5, which is no multiple of 2 (SPA5-EA-PAIR)",
        ),
        (
            "LD.128 R6, [R3]",
            "line 2, column 1: illegal instruction: a 128-bit datum cannot start at R6, which is no multiple of 4 (SPA5-EA-PAIR)",
        ),
        (
            "ST.64 [R3], R254",
            "line 2, column 1: illegal instruction: a 64-bit datum from R254 would run past R254 (SPA5-EA-PAIR)",
        ),
        (
            "registers 4\nLD.64 R4, [R3]",
            "line 3, column 1: `LD.64 R4, [R3]` moves a register that the program does not have",
        ),
    ] {
        assert_eq!(problems(&format!("isa spa5\n{lines}\n")), [problem], "{lines}");
    }
    assert_eq!(
        problems("LD R1, [R2]"),
        ["line 1, column 1: expected `isa spa5`, `isa r700`, `isa ptx` or `isa sm5` first, found `LD`"]
    );
    assert_eq!(
        problems("lanes 4\nLD R1, [R2]"),
        ["line 1, column 1: expected `isa spa5`, `isa r700`, `isa ptx` or `isa sm5` first, found `lanes`"]
    );
}

/// What is wrong has a remedy, and the right one.
#[test]
fn remedies() {
    let float = "a float is given by its bits: 1.5 is 0x3fc00000 in 32 bits, 0x3ff8000000000000 in 64";
    let component = "a component is `.x`, `.y`, `.z` or `.w`; a name without one is all four";
    for (lines, help) in [
        ("spa5\nR1 = 1/0", "divide by another number"),
        ("spa5\nR1 = 8 % (lane - 3)", "divide by what is 0 in no lane"),
        ("spa5\nmemory 0x1000: .word 4294967296", "32 bits hold -0x80000000 to 0xffffffff"),
        ("spa5\nR1 = 4294967296", "32 bits hold -0x80000000 to 0xffffffff"),
        ("spa5\nR1 = (1", "end what `(` begins with `)`"),
        ("ptx\n%rd1 = 0x10000000000000000", "64 bits hold -0x8000000000000000 to 0xffffffffffffffff"),
        ("ptx\n%f1 = 1.5", float),
        ("ptx\n%f1 = 2 * 1.", float),
        ("ptx\n%q1 = 0x1_0000_0000_0000_0000_0000_0000_0000_0000", "the widest register holds 128 bits"),
        ("ptx\n%q1 = 0xffff_ffff_ffff_ffff_ffff_ffff_ffff_ffff - 1", "a number of 128 bits stands alone"),
        ("r700\nR1.q = 1", component),
        ("sm5\nr0.xy = 1", component),
    ] {
        let problems = Program::parse("test.lsu", &format!("isa {lines}\n")).expect_err(lines).problems;
        assert_eq!(problems.iter().map(|problem| problem.help.as_str()).collect::<Vec<_>>(), [help], "{lines}");
    }
}

#[test]
fn r700_directives_set_the_buffers() {
    let program = parse(
        "isa r700\nlanes 8\nregisters 16\nbuffer scratch 0x1004 0x40 0x3c\nbuffer stream2 8 4\nbuffer export 0x2000 0\n\
         form driver\nmemory 0x2000: .word 1\nbus_error 0x2000 1\nMEM_STREAM2 WRITE 0 R1.x___ ES:0\n",
    );
    let ctrl = &program.ctrl;
    assert_eq!((program.isa, program.lanes, program.register_count), (Isa::R700, Some(8), 16));
    assert_eq!(ctrl.buffer[0], Buffer { base: 0x1004, stride: 0x40, size: 0x3c });
    assert_eq!(ctrl.buffer[4], Buffer { base: 8, stride: 0, size: 4 });
    assert!(ctrl.r700_driver_form && program.hints().is_empty());
    assert_eq!((program.memory.len(), program.bus_errors.len()), (1, 1));
    let bare = parse("isa r700\nbuffer ring 0 4\nMEM_STREAM2 WRITE 0 R1.x___ ES:0\n");
    assert_eq!((bare.register_count, bare.ctrl.r700_driver_form), (128, false));
    assert!(bare.hints()[0].starts_with("a buffer that is used has no size"));
}

/// R700-STAGE, R700-PLACE: each type of program has a scratch buffer, streams and rings may have a stride.
#[test]
fn r700_stages_strides_and_flushes() {
    let program = parse(
        "isa r700\nbuffer scratch 0x1000 0x40 0x3c\nbuffer scratch vertex 0x2000 0x20 0x20\n\
         buffer scratch geometry 0x3000 4 4\nbuffer scratch export 0x4000 8 8\nbuffer stream0 0x5000 0x30 0x20\n\
         buffer ring 0x6000 0x100\nflush\nMEM_SCRATCH WRITE 0 R1.x___ ES:3\nstage vertex\nflush\nflush\nwarp 3\n\
         MEM_SCRATCH WRITE 0 R1.x___ ES:3\nstage pixel\nMEM_RING WRITE 0 R1.x___ ES:0\nflush\n",
    );
    let ctrl = &program.ctrl;
    assert_eq!(ctrl.buffer[0], Buffer { base: 0x1000, stride: 0x40, size: 0x3c });
    assert_eq!(
        ctrl.stage_scratch.map(|buffer| (buffer.base, buffer.stride)),
        [(0x2000, 0x20), (0x3000, 4), (0x4000, 8)]
    );
    assert_eq!(ctrl.buffer[2], Buffer { base: 0x5000, stride: 0x30, size: 0x20 });
    assert_eq!((ctrl.buffer[6].stride, ctrl.buffer[6].size), (0, 0x100));
    assert_eq!(program.steps.iter().map(|step| step.lowered.op.stage).collect::<Vec<_>>(), [0, 1, 0]);
    assert_eq!(program.flushes, [1]);
    let pixel =
        parse("isa r700\nbuffer scratch pixel 0x1000 0x40 0x3c\nstage vertex\nMEM_SCRATCH WRITE 0 R1.x___ ES:3\n");
    assert_eq!(pixel.ctrl.buffer[0].stride, 0x40);
    assert!(pixel.hints()[0].contains("buffer scratch STAGE BASE STRIDE SIZE"), "vertex shaders have none");
}

#[test]
fn r700_operands_come_from_components() {
    let program = parse(
        "isa r700\nlanes 4\nregisters 8\nwarp 1\nR1.x = lane\nR2 = 7\nR3.w = [5, 6]\nloop = 2\nactive = lane < 3\n\
         helpers = 4\nMEM_RING type=3 array_base=5 index_gpr=1 rw_gpr=1 rw_rel=1 burst=5 vpm=1 comp_mask=9\n\
         00001862 189d1006 00000005 00000000 // READ_SCRATCH\n",
    );
    let (write, read) = (&program.steps[0], &program.steps[1]);
    // R1 and the loop index are R3; R8 and what follows are none of the program's (R700-GPROOB).
    assert_eq!((write.lowered.op.present_gprs, write.lowered.op.array_base), (0b1_1111, 5));
    assert!(write.lowered.op.await_last && write.lowered.op.suppress_helpers);
    let mut state = program.warps[1].clone();
    let (lanes, data) = state.operands(&write.lowered);
    assert_eq!((lanes.active.bits() & 0xf, lanes.helper.bits()), (0b0111, 0b0100));
    assert_eq!(lanes.addr[..4].iter().map(|words| words[0]).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert_eq!((data.len(), data[0][..2].to_vec(), data[1][..2].to_vec()), (10, vec![0, 0], vec![5, 6]));
    assert_eq!(state.read(Some(4 * 2 + 3))[0], 7);
    state.write_back(&read.lowered, 2, LaneMask::only(0), &[9; 32]);
    assert_eq!(state.read(Some(4 * 6 + 2))[..2], [9, 0]);
}

/// A session takes from a plan what no memory answers.
#[test]
fn r700_reads_fill_constants_and_clamped_dwords() {
    let program = parse(
        "isa r700\nlanes 4\nbuffer reduction 0x100 0x40\nmemory 0x100: .word 1, 2, 3, 4, 5, 6, 7, 8\nR6 = 99\n\
         READ_REDUCTION R6.x10_, R0.xx ELEM_SIZE:3 ARRAY_BASE:0 ARRAY_SIZE:0 FMT(NUM:0)\n\
         READ_REDUCTION R8.yx__, R0.xx ELEM_SIZE:3 BURST_COUNT:1 ARRAY_BASE:1 ARRAY_SIZE:0\n\
         MEM_REDUCT WRITE 2 R8.xy__ ES:3 AS:0\n",
    );
    let mut session = Session::new(&program, Shape::with_lanes(4));
    for step in &program.steps {
        let executed = session.step(step);
        assert!(executed.plan.faults.iter().all(|fault| *fault == Fault::None));
    }
    let lane0 = |gpr: u16| [0, 1, 2, 3].map(|component| session.warps[0].read(Some(4 * gpr + component))[0]);
    assert_eq!(lane0(6), [1, 1f32.to_bits(), 0, 99]);
    assert_eq!((lane0(8), lane0(9)), ([6, 5, 0, 0], [0, 0, 0, 0]));
    assert_eq!([0x120, 0x124].map(|address| session.memory.byte(address)), [6, 5]);
}

#[test]
fn each_r700_refusal_has_its_place_and_rule() {
    for (lines, problem) in [
        ("frob 1", "line 2, column 1: expected a directive, a value or an instruction, found `frob`"),
        ("LD R1, [R2]", "line 2, column 1: expected a directive, a value or an instruction, found `LD`"),
        ("registers 129", "line 2, column 11: expected 1 to 128 GPRs, found `129`"),
        ("alloc 0 32", "line 2, column 1: `alloc` belongs to another instruction set"),
        ("shared 32", "line 2, column 1: `shared` belongs to another instruction set"),
        ("trap misaligned", "line 2, column 1: `trap` belongs to another instruction set"),
        ("buffer stream4 0 4", "line 2, column 8: expected the name of a buffer, found `stream4`"),
        ("buffer ring 2 4", "line 2, column 13: `2` is no multiple of 4"),
        ("buffer ring 0 4 4 4", "line 2, column 19: expected the end of the line, found `4`"),
        ("buffer scratch 0 4", "line 2, column 19: expected a number, found the end of the line"),
        ("buffer ring 0 4\nbuffer ring 0 4", "line 3, column 8: `ring` is given a second time"),
        ("buffer ring 0 0x100000000", "line 2, column 15: `0x100000000` does not fit in 32 bits"),
        (
            "buffer ring 0xfffffffffc 8",
            "line 2, column 13: `0xfffffffffc 8` does not fit in the address space (R700-PLACE)",
        ),
        ("buffer export 0 4 4", "line 2, column 17: `4` is a stride, which reduction and export have not (R700-PLACE)"),
        ("buffer scratch hull 0 4 4", "line 2, column 16: expected a type of program, found `hull` (R700-STAGE)"),
        ("buffer scratch 0 4 4\nbuffer scratch pixel 0 4 4", "line 3, column 8: `scratch` is given a second time"),
        ("stage compute", "line 2, column 7: expected a type of program, found `compute` (R700-STAGE)"),
        ("flush now", "line 2, column 7: expected the end of the line, found `now`"),
        ("form first", "line 2, column 6: expected `driver`, found `first`"),
        ("P0 = 1", "line 2, column 1: `P0` cannot be given a value"),
        ("R128 = 1", "line 2, column 1: `R128` cannot be given a value"),
        ("registers 2\nR2.x = 1", "line 3, column 1: `R2` cannot be given a value"),
        ("R1.q = 1", "line 2, column 4: expected x, y, z or w, found `q`"),
        ("R1.y = 1\nR1 = 1", "line 3, column 1: `R1` is given a second time"),
        ("loop.x = 1", "line 2, column 1: `loop` cannot be given a value"),
        ("loop = lane", "line 2, column 8: `lane` depends on the lane"),
        ("c0018005", "line 2, column 1: 1 dword: a CF word has two, a memory read three, or four with the last 0"),
        (
            "MEM_RING WRITE 8 R4.xyzw",
            "line 2, column 25: expected `ES:` and an element's dwords - 1, found the end of the line",
        ),
        (
            " EXPORT PARAM 0 R0.xyzw ES:3",
            "line 2, column 2: illegal instruction: EXPORT goes to a pixel, position or parameter buffer, not to memory (COM-ILLEGAL)",
        ),
        (
            "READ_MEM elem_size=0 fmt=35",
            "line 2, column 1: illegal instruction: DATA_FORMAT 35 does not move dwords unchanged (R700-READ)",
        ),
    ] {
        assert_eq!(problems(&format!("isa r700\n{lines}\n")), [problem], "{lines}");
    }
    for line in ["buffer ring 0 4", "form driver"] {
        let problem =
            format!("line 2, column 1: `{}` belongs to another instruction set", line.split(' ').next().unwrap());
        assert_eq!(problems(&format!("isa spa5\n{line}\nLD R1, [R2]\n")), [problem]);
    }
    for value in ["R1.x = 1", "loop = 1"] {
        assert_eq!(problems(&format!("isa spa5\n{value}\nLD R1, [R2]\n")).len(), 1, "{value}");
    }
    // Without a name of an instruction set that exists, no other line means anything.
    assert_eq!(problems("isa r800\nfrob\nfrob").len(), 1);
}

#[test]
fn legal_oddities() {
    for line in ["LD.E R4, [R254]", "ST.E.64 [RZ], RZ", "LD.128 RZ, [R3]", "LD.128 R248, [R3]", "ST.64 [0x4], R252"] {
        assert_eq!(parse(&format!("isa spa5\n{line}\n")).steps.len(), 1, "{line}");
    }
}

/// The word that prints as NOP loads by its fields: which of the two it is nobody says, so it does neither.
#[test]
fn the_word_of_nop_is_refused() {
    let illegal = "line 2, column 1: illegal instruction: the word 8000000000000000 prints as NOP, though by its fields it \
                   loads: it is not executed (COM-ILLEGAL)";
    for line in ["8000000000000000", "/* 0x8000000000000000 */ 8000000000000000", "@P0 LD.U8 R0, [R0], P0"] {
        let found = problems(&format!("isa spa5\n{line}\n"));
        assert!(found.len() == 1 && found[0].ends_with(&illegal[17..]), "{line}: {found:?}");
    }
    for line in ["NOP", "@P2 NOP;", "{&req_6} nop"] {
        let found = problems(&format!("isa spa5\n{line}\n"));
        assert!(found.len() == 1 && found[0].contains("is neither LD nor ST"), "{line}: {found:?}");
    }
}

#[test]
fn all_problems_are_reported_and_shown_in_their_lines() {
    let text = "isa spa5\nalloc 8 8\nLD.64 R5, [R3]\nfoo\n";
    assert_eq!(problems(text).len(), 3);
    let shown = Program::parse("bad.lsu", text).unwrap_err().to_string();
    let lines: Vec<&str> = shown.lines().collect();
    let [first, second, third] = lines[..] else { panic!("{shown}") };
    assert_eq!(first, "bad.lsu: line 2, column 7: `8` is no multiple of 32");
    assert!(second.starts_with("bad.lsu: line 3, column 1: illegal instruction: a 64-bit datum"), "{shown}");
    assert!(third.starts_with("bad.lsu: line 4, column 1: "), "{shown}");
}

proptest! {
    #[test]
    fn no_text_panics(
        text in "\\PC*",
        lines in "((isa spa5|R1|loop|\\.x|buffer|scratch|MEM_RING WRITE|c0018005|P0|alloc|memory|shared|local|warp|lane|ST|LD|=|\\[|\\]|\\(|-|\\*|0x10|7|:|,|\\.word|/|%|<| |\n){1,4}){0,20}",
    ) {
        let _ = Program::parse("any", &text);
        let _ = Program::parse("any", &lines);
        let _ = Program::parse("any", &lines.replace("spa5", "r700"));
        let _ = Program::parse("any", &lines.replace("spa5", "ptx").replace('R', "%rd").replace("ST ", "st.b32 "));
        let _ = Program::parse("any", &format!("isa spa5\nR1 = {}1", "(".repeat(lines.len() * 100)));
        let _ = Program::parse("any", &format!("isa spa5\nR1 = {}1", "-".repeat(lines.len() * 100)));
    }
}
