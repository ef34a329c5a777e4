// SPDX-License-Identifier: MIT OR Apache-2.0
//! Bursts, explained: the equation with its numbers, and what becomes of each register.

use serde_json::{Value, json};

use super::{explain, of};

const SCRATCH: &str = "buffer scratch 0x10000 0x400 0x400";

fn r700(sets: &[&str], instruction: &str) -> String {
    of("r700", sets, &["--lanes", "4", instruction])
}

/// Says each of these lines, whole.
fn says(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|said| said == *line), "{line:?} in\n{text}");
    }
}

#[test]
fn a_burst_is_clamped_in_the_middle() {
    let sets = [SCRATCH, "R1.x = [3, 15, 16, 0xffffffff]", "R4 = 0x40 + lane", "R5.y = 7"];
    let expected = "\
MEM_SCRATCH WRITE_IND 8-9 R4-5.xyzw R1 ES:3 AS:15
c0822008 9202f00f

Write R4.xyzw and R5.xyzw to the scratch buffer in elements of 4 dwords. The
index is R1.x. The buffer is 0x400 bytes at 0x10000 for the first thread, and as
much every 0x400 bytes for the next ones.

  first_dw = (ARRAY_BASE + use_index*index) * (ELEM_SIZE + 1)
  limit_dw = (ARRAY_BASE + ARRAY_SIZE) * (ELEM_SIZE + 1)

Lane 0
  first_dw = (8 + 1*3) * 4 = 44, limit_dw = (8 + 16) * 4 = 96
  R4.xyzw  dwords 44..47  written at 0x100b0
  R5.xyzw  dwords 48..51  written at 0x100c0

Lane 1
  first_dw = (8 + 1*15) * 4 = 92, limit_dw = (8 + 16) * 4 = 96
  R4.xyzw  dwords 92..95  written at 0x10570
  R5.xyzw  dwords 96..99  clamped, not written

Lane 2
  first_dw = (8 + 1*16) * 4 = 96, limit_dw = (8 + 16) * 4 = 96
  R4.xyzw  dwords 96..99    clamped, not written
  R5.xyzw  dwords 100..103  clamped, not written

Lane 3
  first_dw = (8 + 1*4294967295) * 4 = 17179869212, limit_dw = (8 + 16) * 4 = 96
  R4.xyzw  dwords 17179869212..17179869215  clamped, not written
  R5.xyzw  dwords 17179869216..17179869219  clamped, not written

Stored:
  lanes  R4.x  R4.y  R4.z  R4.w
  0      0x40  0x40  0x40  0x40
  1      0x41  0x41  0x41  0x41
  lanes  R5.x  R5.y  R5.z  R5.w
  0      0x0   0x7   0x0   0x0

Memory port, 3 writes, lines of 128 bytes:
  GPR  lanes  line at  byte enables  memory
  R4   0      0x10080  0x30..0x3f    scratch
  R4   1      0x10500  0x70..0x7f    scratch
  R5   0      0x10080  0x40..0x4f    scratch

Clauses:
  R700-FIRST     first_dw = (ARRAY_BASE + use_index * index) * (ELEM_SIZE + 1),
                 exact, of every type
  R700-ELEM      component c of the k-th GPR is at first_dw + k * (ELEM_SIZE +
                 1) + c; masked ones leave memory alone; the later GPR wins
  R700-CLAMP     a dword at or past (ARRAY_BASE + ARRAY_SIZE) * (ELEM_SIZE + 1)
                 is not written, those below are; no fault
  R700-SIZE      ARRAY_SIZE counts elements, 1 to 4096; the field holds one less
  R700-PLACE     byte address = buffer base + thread * stride + 4 * dword;
                 reduction and export have no stride
  PORT-GROUP     the lowest pending lane leads a request, and every lane with
                 bytes in its line joins
  COM-PRIVATE    private memory is at base + thread * stride + offset, and the
                 offset is below the size
";
    let got = r700(&sets, "c0822008 9202f00f");
    let rows = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&got), rows(expected));
}

#[test]
fn lanes_that_differ_evenly_are_told_together() {
    let text = r700(&[SCRATCH, "R1.x = 2*lane"], "c0822008 9202f00f");
    says(
        &text,
        &[
            "Lanes 0..3",
            "  first_dw = (8 + 1*(2*lane)) * 4 = 32 + 8*lane, limit_dw = (8 + 16) * 4 = 96",
            "  R4.xyzw  dwords 32..35 + 8*lane  written at 0x10080 + 0x420*lane",
            "  R5.xyzw  dwords 36..39 + 8*lane  written at 0x10090 + 0x420*lane",
        ],
    );
}

#[test]
fn each_form_shows_its_own_equation() {
    let ring = "buffer ring 0x20000 0x1000";
    let first = r700(&[ring], "c002800c 9300f000");
    says(&first, &["  first_dw = (12 + 0) * 4 = 48, limit_dw = (12 + 1) * 4 = 52"]);
    let driver = r700(&[ring, "form driver"], "c002800c 9300f000");
    says(
        &driver,
        &[
            "  first_dw = ARRAY_BASE * U + use_index*index * (ELEM_SIZE + 1)",
            "  limit_dw = ARRAY_BASE * U + ARRAY_SIZE * (ELEM_SIZE + 1)",
            "  first_dw = 12 * 1 + 0 * 4 = 12, limit_dw = 12 * 1 + 1 * 4 = 16",
            "  R5.xyzw  dwords 12..15  written at 0x20030",
        ],
    );
    assert!(driver.contains("\n  R700-DRIVER ") && !driver.contains("R700-FIRST"));
    let sets = ["buffer export 0x30000 0x1000", "R9.x = 5 + lane", "form driver"];
    let export = r700(&sets, "04852000 9d007fff");
    says(
        &export,
        &[
            "  first_dw = use_index*index",
            "  no limit_dw: the buffer's size alone bounds",
            "  first_dw = 1*(5 + lane) = 5 + lane",
            "  R10.xyz  dwords 5..7 + lane  written at 0x30014 + 4*lane",
        ],
    );
    assert!(export.contains("\n  R700-EXPORT ") && !export.contains("R700-SIZE"));
    let ours = r700(&sets[..2], "04852000 9d007fff");
    says(&ours, &["  first_dw = (0 + 1*(5 + lane)) * 1 = 5 + lane, limit_dw = (0 + 4096) * 1 = 4096"]);
    assert!(ours.contains("\n  R700-FIRST ") && !ours.contains("Hint"));
}

/// R700-HINT: both addresses, and the line that selects the other form.
#[test]
fn where_the_forms_differ_both_are_said() {
    let ring = "buffer ring 0x20000 0x1000";
    let one = |sets: &[&str], instruction: &str| r700(sets, instruction).replace("\n  ", " ");
    let first = one(&[ring], "c0028008 9300f000"); // MEM_RING WRITE 8 R5.xyzw ES:3 AS:0
    let said = "Hint: lanes 0..3: in lane 0 R5.x goes to dword 32 at 0x20080; drivers mean dword 8 at 0x20020: the line \
                `form driver` selects their form (R700-HINT).";
    assert!(first.contains(said) && first.contains(" R700-HINT "), "{first}");
    let driver = one(&[ring, "form driver"], "c0028008 9300f000");
    let said = "R5.x goes to dword 8 at 0x20020; by the manual's equation it is dword 32 at 0x20080: without the line \
                `form driver` that one holds (R700-HINT).";
    assert!(driver.contains(said), "{driver}");
    // Only where it matters: in lane 3 of an export whose array has eight elements.
    let sets = ["buffer export 0x30000 0x1000", "R9.x = [5, 6, 7, 8]"];
    let export = one(&sets, "04852000 9d001007");
    let said = "Hint: in lane 3 R10.x goes to dword 8, which is clamped; drivers mean dword 8 at 0x30020";
    assert!(export.contains(said), "{export}");
    assert!(!one(&[SCRATCH, "R1.x = lane"], "c0822008 9202f00f").contains("Hint"));
    let text = of("r700", &[ring], &["--lanes", "4", "--json", "c0028008 9300f000"]);
    let note = &serde_json::from_str::<Value>(&text).unwrap()["notes"][0];
    assert_eq!((&note["clause"], &note["lanes"]), (&json!("R700-HINT"), &json!([0, 1, 2, 3])));
    let other = json!({
        "register": "R5.x", "dword": 32, "address": "0x20080", "other_dword": 8, "other_address": "0x20020",
        "line": "form driver",
    });
    assert_eq!(note["other_form"], other);
}

fn program(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("any.lsu");
    std::fs::write(&file, format!("isa r700\nlanes 4\n{text}")).unwrap();
    let (out, err, code) = explain(&[file.to_str().unwrap()]);
    assert_eq!((err.as_str(), code), ("", 0));
    out.replace("\n  ", " ")
}

/// R700-FLUSH: lane 1 reads what lane 0 wrote; what a thread wrote itself, and what was flushed, is no matter.
#[test]
fn reading_what_another_thread_wrote_wants_a_flush() {
    const WRITE: &str =
        "buffer export 0x1000 0x100\nR1.x = lane\nR2.x = [0, 0, 2, 3]\nMEM_EXPORT WRITE_IND 4 R3.xy__ R1 ES:1\n";
    const READ: &str = "READ_MEM elem_size=1 indexed=1 src_gpr=2 dst_gpr=4 array_base=4 array_size=4091 fmt=29 nfa=1\n";
    let said = "Warning: READ_MEM in line 7, warp 0, reads in lane 1 bytes 0x1020..0x1027 that MEM_EXPORT in line 6, warp 0, \
                wrote in another thread, without a `flush` between: other hardware may give what was there before \
                (R700-FLUSH).";
    let bare = program(&format!("{WRITE}{READ}"));
    assert!(bare.contains(said), "{bare}");
    assert_eq!(bare.matches("Warning").count(), 1);
    let flushed = program(&format!("{WRITE}flush\n{READ}"));
    assert!(!flushed.contains("Warning"), "{flushed}");
    // Another warp is another thread, in every lane.
    let warps = program(&format!("{WRITE}warp 1\nR2.x = lane\n{READ}"));
    assert!(warps.contains("warp 1, reads in lanes 0..3 bytes 0x1020..0x103f that"), "{warps}");
}

/// R700-STAGE: scratch is each program's own, the reduction buffer one program's at a time.
#[test]
fn stages_have_scratch_of_their_own_and_share_reduction() {
    let header =
        "buffer scratch 0x1000 0x40 0x40\nbuffer scratch vertex 0x8000 0x20 0x20\nbuffer reduction 0x9000 0x40\n";
    let scratch = "MEM_SCRATCH WRITE 0 R1.x___ ES:3\n";
    let text = program(&format!("{header}{scratch}stage vertex\n{scratch}"));
    assert!(text.contains("to the scratch buffer of vertex shaders in elements"), "{text}");
    for line in [" written at 0x1000 + 64*lane", " written at 0x8000 + 0x20*lane"] {
        assert!(text.contains(line) || text.contains(&line.replace("64*", "0x40*")), "{line:?} in {text}");
    }
    let reduce = "MEM_REDUCT WRITE 1 R1.x___ ES:3\n";
    let text = program(&format!("{header}{reduce}stage geometry\n{reduce}"));
    let said = "Warning: the reduction buffer is one program's at a time: MEM_REDUCT in line 8, of a geometry shader, uses \
                bytes 0x9010..0x9013 after MEM_REDUCT in line 6, of a pixel shader, without a `flush` between (R700-STAGE).";
    assert!(text.contains(said), "{text}");
    assert!(!program(&format!("{header}{reduce}flush\nstage geometry\n{reduce}")).contains("Warning"));
}

/// R700-ELEM: X of R5 lies where Y of R4 was, and wins.
#[test]
fn what_a_later_gpr_overwrites_is_said() {
    let sets = ["buffer ring 0x20000 0x1000", "R4.x = 1", "R4.y = 2", "R5.x = 3", "R5.y = 4"];
    let text = r700(&sets, "MEM_RING WRITE 0-1 R4-5.xy__ ES:0");
    says(
        &text,
        &[
            "  R4.x   dword 0      written at 0x20000",
            "  R4.y   dword 1      written at 0x20004, then overwritten by R5.x",
            "  R5.xy  dwords 1..2  written at 0x20004",
            "  0..3   0x1   -",
            "  0..3   0x3   0x4",
        ],
    );
}

/// Lanes of one fate that lane 0 does not begin: the numbers are those of their own first lane.
#[test]
fn no_number_is_shown_that_no_lane_has() {
    let text = r700(&[SCRATCH, "R1.x = [0, 16, 17, 18]"], "c0822008 9202f00f");
    says(
        &text,
        &[
            "Lanes 1..3",
            "  first_dw = (8 + 1*(16 + (lane - 1))) * 4 = 96 + 4*(lane - 1), limit_dw = (8 +",
            "  R4.xyzw  dwords 96..99 + 4*(lane - 1)    clamped, not written",
        ],
    );
    // Where lane 0 is one of the progression, though of another fate, it is told from there.
    let text = r700(&[SCRATCH, "R1.x = 15 + lane"], "c0822008 9202f00f");
    says(&text, &["Lanes 1..3", "  R4.xyzw  dwords 92..95 + 4*lane  clamped, not written"]);
    assert!(!text.contains("(lane - "), "{text}");
}

#[test]
fn reads_tell_constants_and_what_gives_0() {
    // READ_SCRATCH R6.wx_1 and R7, two components, first dwords 3 and 4, item of 16 bytes.
    let sets = ["buffer scratch 0x10000 0x10 0x10", "memory 0x1000c: .word 0x99", "R6 = 7"];
    let read = "READ_SCRATCH R6.wx_1, R0.xx, RID:0 ELEM_SIZE:0 BURST_COUNT:1 ARRAY_BASE:3 ARRAY_SIZE:0 UCF:0 \
                FMT(DTA:29 NUM:0 COMP:0 MODE:0)";
    let text = r700(&sets, read);
    assert!(text.contains("Component z is left alone. Component w takes 1.0."), "{text}");
    says(
        &text,
        &[
            "Lanes 0..3",
            "  first_dw = (3 + 0) * 1 = 3, limit_dw = (3 + 1) * 1 = 4",
            "  R6.x  -        not in the format, gives 0",
            "  R6.y  dword 3  read at 0x1000c + 16*lane",
            "  R7.y  dword 4  clamped, gives 0",
            "  0      0x0   0x99  0x3f800000",
            "  1..3   0x0   0x0   0x3f800000",
        ],
    );
    assert!(text.contains("R700-READOOB"));
    // The clamp is out of the way: the second GPR is past the item.
    let text = r700(&sets, &read.replace("ARRAY_SIZE:0", "ARRAY_SIZE:9"));
    says(&text, &["Lanes 0..3: out of allocation", "  R7.y  dword 4  out of allocation, gives 0"]);
    assert!(text.contains("R700-BOUND") && !text.contains("R700-CLAMP"));
}

#[test]
fn what_is_dropped_is_said() {
    let text = r700(&[SCRATCH, "registers 5"], "c0822008 9202f00f");
    assert!(
        text.contains("Dropped, being past the program's last: 1 GPR of the burst.") && text.contains("R700-GPROOB")
    );
    assert!(!text.contains("R5."));
    let text = r700(&[SCRATCH, "registers 1"], "c0822008 9202f00f");
    assert!(text.contains("Nothing moves"));
    says(&text, &["Note: index GPR R1 is past the program's registers: reads as 0 (R700-GPROOB)."]);
    let read = "READ_MEM dst_gpr=0 src_gpr=126 src_rel=1 indexed=1 elem_size=0";
    let text = r700(&["loop = 5", "registers 127", "buffer export 0x1000 0x10"], read);
    says(&text, &["Note: index GPR R131 is past the program's registers: reads as 0 (R700-GPROOB)."]);
    // VALID_PIXEL_MODE
    let sets = [SCRATCH, "helpers = 4", "active = 7"];
    says(
        &r700(&sets, "c0018005 9240f000"),
        &["Lane 1", "Lane 2: not a valid pixel, writes nothing", "Lane 3: inactive"],
    );
    says(&r700(&[SCRATCH], "c0018005 92000000"), &["  first_dw = (5 + 0) * 4 = 20, limit_dw = (5 + 1) * 4 = 24"]);
}

#[test]
fn lanes_that_meet_and_acknowledgements() {
    let ring = "buffer ring 0x20000 0x1000";
    let text = r700(&[ring], "c002c00c 9300f000"); // WRITE_ACK
    assert!(text.contains("complete when memory has") && text.contains("\n  R700-ACK "));
    assert!(text.contains("\n  COM-SAMEADDR ") && text.contains("\n  PORT-MIN "));
    let text = r700(&[ring, "bus_error 0x20000 0x100"], "c002c00c 9300f000");
    says(&text, &["Lanes 0..3: bus error", "  R5   0..3   0x20080  0x40..0x4f    ring, bus error"]);
}

/// Any fields at all, over lanes that differ: an explanation, no wider than the others.
#[test]
fn every_burst_is_explained() {
    let mut seed = 1u64;
    let mut random = || {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (seed >> 32) as u32
    };
    let mut text = "isa r700\nregisters 100\nbuffer scratch 0x10000 0x204 0x1fc\nbuffer ring 0x40004 0x500\n\
                    buffer export 0x50000 0x1000\nbus_error 0x40080 0x80\nhelpers = 0x10\nloop = 9\n"
        .to_owned();
    for gpr in 0..16 {
        text += &format!("R{gpr}.x = {} + {}*lane\n", random() >> (random() % 32), random() % 5);
    }
    let instructions = ["20", "24", "25", "26", "3a"].map(|code| u32::from_str_radix(code, 16).unwrap());
    for round in 0..150 {
        // The index is one of R0 to R15.
        let [low, high] = [random() & !(0x70 << 23), random() & !(0x7f << 23)];
        text += &format!("{low:08x} {:08x}\n", high | instructions[round % 5] << 23);
        let format = [13, 29, 47, 34][round % 4] << 22;
        let select = [0, 1, 2, 3, 4, 5, 7, 0][(random() % 8) as usize] << 9 | (random() % 6) << 12 | 7 << 15;
        let (first, third) = (2 | (random() & 0x3e0f_1860) | (random() % 3) << 8, random() & 0xfff0_1fff);
        text += &format!("{first:08x} {:08x} {third:08x}\n", random() & 0x3000_00ff | format | select);
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("any.lsu");
    std::fs::write(&file, text).unwrap();
    let (out, err, code) = explain(&[file.to_str().unwrap()]);
    assert_eq!((err.contains("error"), code), (false, 0), "{err}");
    assert_eq!(out.matches("Clauses:").count(), 300);
    for clause in ["CLAMP", "BOUND", "READOOB", "EXPORT", "GPROOB", "VPM", "ACK"] {
        assert!(out.contains(&format!("\n  R700-{clause} ")), "{clause}");
    }
}

#[test]
fn json_has_the_same_numbers() {
    let sets = [SCRATCH, "R1.x = 15"];
    let text = of("r700", &sets, &["--lanes", "4", "--lane", "2", "--json", "c0822008 9202f00f"]);
    let object: Value = serde_json::from_str(&text).unwrap();
    let array = json!({
        "buffer": "scratch", "stage": "pixel", "base": "0x10000", "stride": 0x400, "size": 0x400, "driver_form": false,
        "array_base": 8, "array_size": 16, "element_dwords": 4, "use_index": true,
    });
    assert_eq!(object["array"], array);
    let lane = &object["lanes"][0];
    assert_eq!((&lane["lane"], &lane["space"], &lane["bytes"]), (&json!(2), &json!("scratch"), &json!(16)));
    let burst = &lane["burst"];
    assert_eq!((&burst["index"], &burst["first_dw"], &burst["limit_dw"]), (&json!(15), &json!(92), &json!(96)));
    let transfers = burst["transfers"].as_array().unwrap();
    assert_eq!(transfers.len(), 8);
    let moved = json!({ "register": "R4.x", "dword": 92, "address": "0x10970", "fate": "moved" });
    let clamped = json!({ "register": "R5.w", "dword": 99, "address": "0x1098c", "fate": "clamped" });
    assert_eq!((&transfers[0], &transfers[7]), (&moved, &clamped));
    assert_eq!(object["requests"][0]["gpr"], "R4");
}
