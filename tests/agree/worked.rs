// SPDX-License-Identifier: MIT OR Apache-2.0
//! The worked examples of the SPA 5.0 page, as programs: RTL and model agree, and on these values.

use gpu_lsu::{
    cosim::play,
    op::Fault::{self, Allocation, Bus, Misaligned, None as Fine, Window},
    program::{Program, Session},
};

use crate::units::{agree, built};

/// A register and its final values in the lanes from 0 on.
type Register<'a> = (u8, &'a [u32]);

/// Plays a program of warp 0 on every unit and compares the resulting memory, registers and faults.
#[track_caller]
fn play(lines: &str, memory: &[(u64, &[u8])], registers: &[Register<'_>], faults: &[&[Fault]]) {
    let program = Program::parse("worked", &format!("isa spa5\n{lines}\n")).unwrap_or_else(|error| panic!("{error}"));
    for shape in built() {
        agree(&play::case(&program, &shape));
        let mut session = Session::new(&program, shape);
        assert_eq!(program.steps.len(), faults.len());
        for (step, faults) in program.steps.iter().zip(faults) {
            let found = session.step(step).plan.faults;
            let count = faults.len().min(shape.lanes);
            assert_eq!(found[..count], faults[..count], "{}", step.text);
        }
        for (address, bytes) in memory {
            let found: Vec<u8> = (*address..).take(bytes.len()).map(|at| session.memory.byte(at)).collect();
            assert_eq!(found, *bytes, "at {address:#x}");
        }
        for (register, lanes) in registers {
            let count = lanes.len().min(shape.lanes);
            assert_eq!(session.warps[0].read(Some((*register).into()))[..count], lanes[..count], "R{register}");
        }
    }
}

const ALLOC: &str = "alloc 0x1000 0x1000\nactive = 1";

#[test]
fn st_with_an_offset() {
    let lines = format!("{ALLOC}\nR1 = 0x1000\nR3 = 0x44332211\nbc80000001470103");
    play(&lines, &[(0x1013, &[0, 0x11, 0x22, 0x33, 0x44, 0])], &[], &[&[Fine]]);
}

#[test]
fn st_e_past_4_gib() {
    let lines = "alloc 0x100001000 0x1000\nactive = 1\nR2 = 0\nR3 = 1\nR5 = 0x44332211\nbc90000123470205";
    play(lines, &[(0x1_0000_1233, &[0, 0x11, 0x22, 0x33, 0x44, 0])], &[], &[&[Fine]]);
}

#[test]
fn st_64_is_forced_to_its_alignment() {
    let lines = format!("{ALLOC}\nR1 = 0x1003\nR4 = 0x44332211\nR5 = 0x88776655\nST.64 [R1+0x18], R4");
    let bytes = (0x1017, &[0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0][..]);
    play(&lines, &[bytes], &[], &[&[Fine]]);
    // Trapping reports the fault and changes nothing.
    play(&format!("trap misaligned\n{lines}"), &[bytes], &[], &[&[Misaligned]]);
}

#[test]
fn ld_u_128_goes_where_its_predicate_says() {
    let lines = "alloc 0x1000 0x1000\nactive = 7\nmemory 0x1200: .word 1, 2, 3, 4\nshared 0x10: .word 5, 6, 7, 8\n\
                 local 0x8000 0x20 0x20\nmemory 0x8020: .word 9, 10, 11, 12\n\
                 P1 = lane < 2\nR1 = [0x1200, 0x2000000, 0x1000010]\n84e0000000070104";
    let registers: [Register<'_>; 4] =
        [(4, &[1, 9, 5, 0]), (5, &[2, 10, 6, 0]), (6, &[3, 11, 7, 0]), (7, &[4, 12, 8, 0])];
    play(lines, &[], &registers, &[&[Fine; 4]]);
}

#[test]
fn st_to_an_absolute_address() {
    let lines = "alloc 0xffffff00 0x100\nactive = 1\nR7 = 0x44332211\nbc8fffffff07ff07";
    play(lines, &[(0xffff_ffef, &[0, 0x11, 0x22, 0x33, 0x44, 0])], &[], &[&[Fine]]);
}

#[test]
fn st_wraps_at_32_bits() {
    let lines = "alloc 0xffffff00 0x100\nactive = 1\nR6 = 8\nR7 = 0x44332211\nbc8fffffff070607";
    play(lines, &[(0xffff_fff7, &[0, 0x11, 0x22, 0x33, 0x44, 0])], &[], &[&[Fine]]);
}

#[test]
fn narrow_loads_extend() {
    let lines = format!(
        "{ALLOC}\nmemory 0x1100: 80 00 01 80\nR1 = 0x1100\nLD.S8 R2, [R1]\nLD.U8 R3, [R1]\nLD.S16 R4, [R1+2]\n\
         LD.U16 R5, [R1+2]\nLD.S8 R6, [R1+1]"
    );
    let registers: [Register<'_>; 5] =
        [(2, &[0xffff_ff80]), (3, &[0x80]), (4, &[0xffff_8001]), (5, &[0x8001]), (6, &[0])];
    play(&lines, &[], &registers, &[&[Fine][..]; 5]);
}

#[test]
fn the_sources_slips_are_slips() {
    // The source's slips: "store 32-bit R2" stores R3, and "ST.8 ... 64-bit" stores one byte.
    let lines = format!("{ALLOC}\nR1 = 0x1000\nR4 = 0x44332211\nR5 = -1\nST.8 [R1+4], R4");
    play(&lines, &[(0x1003, &[0, 0x11, 0, 0, 0, 0])], &[], &[&[Fine]]);
}

#[test]
fn failing_loads_write_zero_and_failing_stores_nothing() {
    let head = "alloc 0x1000 0x100\nshared 0x20\nbus_error 0x1080 4\nactive = 0x1f\nP0 = lane < 3\n\
                R1 = [0x1000, 0x1100, 0x1080, 0x1000020, 0x3000000]\nR2 = 7\n\
                memory 0x1000: .word 9\nmemory 0x1100: .word 0";
    let faults: &[Fault] = &[Fine, Allocation, Bus, Allocation, Window, Fine];
    // Lane 5 is inactive and keeps what it has.
    play(&format!("{head}\nLD R2, [R1], P0"), &[], &[(2, &[9, 0, 0, 0, 0, 7])], &[faults]);
    let memory: [(u64, &[u8]); 3] = [(0x1000, &[7, 0, 0, 0]), (0x1080, &[0; 4]), (0x1100, &[0; 4])];
    play(&format!("{head}\nST [R1], R2, P0"), &memory, &[], &[faults]);
}
