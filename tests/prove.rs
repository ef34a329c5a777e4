// SPDX-License-Identifier: MIT OR Apache-2.0
//! Proofs, for real: Yosys and a solver, on the RTL as it is and on copies with a fault.

#[path = "support/changes.rs"]
mod changes;
#[path = "support/rtl.rs"]
mod sources;

use std::{
    fs,
    num::NonZero,
    path::Path,
    process::{Command, Stdio},
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use changes::changes;
use gpu_lsu::{
    model,
    op::{AddrMode, LaneMask, Op, Shape},
    program::{Program, Session},
    prove::{self, Counterexample, Outcome, ProveError, Settings, Tools, Verdict},
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tempfile::TempDir;

fn rtl() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/rtl"))
}

/// Proves blocks of the packages of a directory; all if none is named.
fn verdicts(rtl: &Path, blocks: &[&str]) -> Result<Vec<Verdict>, ProveError> {
    let settings = Settings {
        rtl: rtl.to_owned(),
        blocks: blocks.iter().map(|&name| name.to_owned()).collect(),
        jobs: NonZero::new(2).unwrap(),
        limit: Duration::from_secs(600),
    };
    let tools = Tools::find().expect("`scripts/setup test` installs the tools");
    prove::prove(&settings, &tools, &AtomicBool::new(false), |_| ())
}

/// The RTL with another text in place of one of a file's.
fn faulty(file: &str, from: &str, to: &str) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    sources::copy(copy.path());
    sources::change(copy.path(), file, from, to);
    copy
}

/// What is found of one block when a text of a package is another.
fn with_fault(package: &str, from: &str, to: &str, block: &str) -> (Counterexample, Program) {
    let copy = faulty(package, from, to);
    let verdict = verdicts(copy.path(), &[block]).unwrap().remove(0);
    assert_eq!(verdict.block, block);
    let Outcome::Differs(found) = verdict.outcome else { panic!("{block} is {:?}", verdict.outcome) };
    let text = found.program.clone().expect("an instruction shows it");
    let program = Program::parse("found.lsu", &text).unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    assert_eq!(program.steps.len(), 1, "{text}");
    (found, program)
}

/// The value at a port.
fn value(values: &[(&'static str, u64)], name: &str) -> u64 {
    values.iter().find(|(port, _)| *port == name).map(|&(_, value)| value).unwrap()
}

/// The model's plan for the only instruction, and its lane.
fn played(program: &Program) -> (Op, model::Plan, usize) {
    let mut session = Session::new(program, Shape::with_lanes(32));
    let step = &program.steps[0];
    let lane = program.warps[step.warp].operands(&step.lowered).0.active.first().unwrap();
    (step.lowered.op, session.step(step).plan, lane)
}

#[test]
fn every_block_is_proved() {
    let verdicts = verdicts(rtl(), &[]).unwrap();
    assert_eq!(verdicts.iter().map(|verdict| verdict.block).collect::<Vec<_>>(), prove::names().collect::<Vec<_>>());
    for verdict in verdicts {
        assert_eq!(verdict.outcome, Outcome::Proved, "{}", verdict.block);
    }
}

/// A dword at the limit is written: the program's burst has one, and the model drops it.
#[test]
fn a_clamp_that_is_off_by_one_is_found() {
    for block in ["clamp", "burst"] {
        let (found, program) = with_fault("lsu_clamp_pkg.sv", "(x, past);", "(x, past + dword_t'(past != '1));", block);
        let element = value(&found.model, "element");
        let bad = |c: u64| u64::from(element + c <= value(&found.model, "limit")) << c;
        assert_eq!(value(&found.rtl, "below"), (0..4).map(bad).sum::<u64>());
        assert_ne!(value(&found.rtl, "below"), value(&found.model, "below"));
        // What the instruction does: the bytes of its last GPR are those of the components below the limit.
        let (op, plan, _) = played(&program);
        assert_eq!(op.addr_mode, AddrMode::Array as u8);
        let gpr = value(&found.inputs, "gpr");
        assert_eq!(u64::from(op.present_gprs), (2 << gpr) - 1);
        let last = plan.requests.iter().filter(|request| u64::from(request.group) == gpr);
        let bytes: u32 = last.map(|request| request.byte_enable.count_ones()).sum();
        assert_eq!(bytes, 4 * value(&found.model, "below").count_ones());
    }
}

/// R700-STAGE: the program is of the stage whose scratch was mistaken, and moves something there.
#[test]
fn a_scratch_of_another_stage_is_found() {
    let (from, to) = ("4'(BUFFERS - 1) + 4'(stage)", "4'(BUFFERS - 1) + 4'(1)");
    let (found, program) = with_fault("lsu_window_pkg.sv", from, to, "buffer");
    let stage = value(&found.inputs, "stage");
    assert_eq!((value(&found.model, "number"), value(&found.rtl, "number")), (7 + stage, 8));
    let (op, plan, lane) = played(&program);
    assert_eq!((u64::from(op.stage), op.slot), (stage, 0));
    let buffer = program.ctrl.stage_scratch[stage as usize - 1];
    assert!(plan.memory.contains(lane) && plan.addr[lane] >= buffer.base);
}

#[test]
fn a_first_dword_that_is_off_by_one_is_found() {
    let (from, to) = ("dword_t'(base) + indexed,", "dword_t'(base) + indexed + dword_t'(1),");
    let (found, program) = with_fault("lsu_address_pkg.sv", from, to, "array");
    let first = value(&found.model, "first");
    let dwords = value(&found.inputs, "elem_size") + 1;
    assert_eq!(value(&found.rtl, "first"), first + dwords);
    let (_, plan, lane) = played(&program);
    let slot = usize::from(program.steps[0].lowered.op.slot);
    assert_eq!(plan.addr[lane], program.ctrl.buffer[slot].base + 4 * first);
}

#[test]
fn a_sum_that_does_not_wrap_is_found() {
    let (from, to) = ("{32'b0, word0 + imm[31:0]}", "64'(word0) + 64'(imm[31:0])");
    let (found, program) = with_fault("lsu_address_pkg.sv", from, to, "address");
    let ea = value(&found.model, "ea");
    assert_eq!(value(&found.rtl, "ea"), ea + (1 << 32));
    let (op, plan, lane) = played(&program);
    assert_eq!(op.addr_mode, AddrMode::Reg32 as u8);
    assert_eq!((plan.memory, plan.addr[lane]), (LaneMask::only(lane), ea));
}

#[test]
fn faults_of_the_other_blocks_are_found() {
    for (package, from, to, block) in [
        ("lsu_align_pkg.sv", "ea & ~{59'b0, bytes - 5'd1}", "ea & ~{61'b0, 3'(bytes - 5'd1)}", "align"),
        ("lsu_extract_pkg.sv", "{16{sign_extend & raw[15]}}", "{16{sign_extend & raw[7]}}", "extract"),
        ("lsu_window_pkg.sv", "end_t'(addr) < past", "end_t'(addr) <= past", "window"),
        ("lsu_window_pkg.sv", "16'(thread)", "16'(thread[6:0])", "window"),
        ("lsu_window_pkg.sv", "dword_t'(size) >> 2)", "(dword_t'(size) >> 2) + dword_t'(1))", "buffer"),
        ("lsu_window_pkg.sv", "sum + products", "sum + products + addr_t'(4)", "buffer"),
        (
            "lsu_window_pkg.sv",
            "end_t'(cluster.size[ADDR_WIDTH-1:5])",
            "end_t'(cluster.size[ADDR_WIDTH-1:5]) + end_t'(1)",
            "space",
        ),
        (
            "lsu_window_pkg.sv",
            "common.past = end_t'(shared_size)",
            "common.past = end_t'(shared_size) + end_t'(1)",
            "space",
        ),
        ("lsu_window_pkg.sv", "product_t'(count)", "product_t'(count[6:0])", "space"),
        ("lsu_uav_pkg.sv", "dwords_t'(tgsm.size[31:2])", "dwords_t'(tgsm.size[31:2]) + dwords_t'(1)", "tgsm"),
        ("lsu_uav_pkg.sv", "mode == AddrStruct && y != '0", "mode == AddrStruct && y[1]", "tgsm"),
        ("lsu_cas_pkg.sv", "s.stores = memory == compare", "s.stores = memory[31:1] == compare[31:1]", "cas"),
    ] {
        let (found, _) = with_fault(package, from, to, block);
        assert_ne!(found.model, found.rtl, "{block}");
    }
}

/// Sums and products of SM5 that lose their highest bits, and an index tested against another one's length.
#[test]
fn wrong_places_of_every_kind_of_u_are_found() {
    for (from, to, mode) in [
        ("room_t'(size) - room_t'(stride)", "room_t'(size) - room_t'(stride[10:0])", AddrMode::Struct),
        ("dwords_t'(uav.stride[11:2])", "dwords_t'(uav.stride[11:2]) + dwords_t'(1)", AddrMode::Struct),
        ("room_t'({dword, 2'b0})", "room_t'({dword[29:0], 2'b0})", AddrMode::Typed),
        ("v.slices = uav.depth", "v.slices = uav.dimension == Dim1dArray ? uav.height : uav.depth", AddrMode::Typed),
        ("Dim2dArray, Dim3d: return z", "Dim2dArray, Dim3d: return y", AddrMode::Typed),
    ] {
        let (found, program) = with_fault("lsu_uav_pkg.sv", from, to, "uav");
        assert_eq!(value(&found.inputs, "mode"), mode as u64, "{to}");
        // The instruction means what the block was asked.
        let (op, plan, lane) = played(&program);
        assert_eq!(op.addr_mode, mode as u8, "{to}");
        if value(&found.model, "memory") == 1 {
            assert_eq!((plan.memory, plan.addr[lane]), (LaneMask::only(lane), value(&found.model, "addr")), "{to}");
        } else {
            assert_eq!(plan.faults[lane] as u64, value(&found.model, "fault"), "{to}");
        }
    }
}

/// A part with a clock that does not keep its promise: the cycles from reset to the first in which it does not.
#[test]
fn faults_of_parts_with_a_clock_are_found() {
    for (file, from, to, part, assertion) in [
        ("lsu_fifo.sv", "if (push_i) mem[back_q]", "if (push_i && !pop_i) mem[back_q]", "fifo", "Word"),
        ("lsu_fifo.sv", "full_o = count_q[Bits]", "full_o = count_q >= (Bits + 1)'(DEPTH - 1)", "fifo", "Full"),
        ("lsu_round_robin.sv", "later_q <= after", "later_q <= '0", "turns", "Grant"),
        ("lsu_round_robin.sv", "{request_i, request_i & later_q, ", "{request_i, request_i, ", "turns", "Grant"),
        ("lsu_pending.sv", "(PENDING - 1);", "(PENDING);", "pending", "OneLeft"),
        (
            "lsu_pending.sv",
            "byte_meets_q[i] <= shared_parts(line_be_t'(be_q[i]), line_be_t'(look_be_i));",
            "byte_meets_q[i] <= '{default: be_q[i] == look_be_i};",
            "pending",
            "Bytes",
        ),
        ("lsu_pending.sv", "if (exclusive_q[i] || next_q.exclusive)", "if (next_q.exclusive)", "pending", "Own"),
        ("lsu_pending.sv", "known && first && mmio_q[rsp_index]", "known && mmio_q[rsp_index]", "pending", "Answered"),
        ("lsu_pending.sv", "first || rsp_i.scope > scope_q[rsp_index]", "1'b1", "pending", "Widest"),
        ("lsu_pending.sv", "if (!busy_q[i]) free_id", "if (!busy_q[i] || i == 2) free_id", "pending", "Free"),
        ("lsu_pending.sv", "if (over_i) answers[", "if (1'b0) answers[", "pending", "Tells"),
        ("lsu_held.sv", "against_i & ~ends[w];", "against_i;", "pending", "Stands"),
        ("lsu_held.sv", "| (passed_q[w] ? passed : '0)", "", "pending", "Stands"),
        ("lsu_held.sv", "(is_next & pairs_wait) != '0", "1'b0", "pending", "PairTurn"),
        ("lsu_inflight.sv", "one_q & {SLOTS{!error_q}}", "one_q", "inflight", "Told"),
        ("lsu_held.sv", "firsts != '0 ||", "firsts == '1 ||", "pending", "Passes"),
        ("lsu_held.sv", "? '1 : behind_q[WarpBits'(next_i.warp)]", "? '1 : '1", "pending", "Behind"),
        ("lsu_order.sv", "(mem_req_valid_o && !mem_req_ready_i);", "1'b0;", "order", "Stays"),
        ("lsu_order.sv", "if (room) turn_q <=", "if (again_ready_o) turn_q <=", "order", "PairsTurn"),
        ("lsu_order.sv", "(!held_i[warp] || warp == try_q)", "1'b1", "order", "Tried"),
        ("lsu_order.sv", "= !hidden_q[warp] && ", "= ", "order", "Open"),
        ("lsu_order.sv", "mmio_q[w][shown_q[w]] && mmio_busy_q[w]", "1'b0", "order", "OneMmio"),
        ("lsu_held.sv", "(over_i ? PENDING'(1) << over_id_i : '0);", "'0;", "pending", "Stands"),
        (
            "lsu_inflight.sv",
            "outstanding_d[s] = count_q[s] != CountBits'(change)",
            "outstanding_d[s] = count_d[s] > CountBits'(1)",
            "inflight",
            "Outstanding",
        ),
        ("lsu_inflight.sv", "if (close) free_back_q", "if (close && !refill) free_back_q", "inflight", "Place"),
        ("lsu_inflight.sv", "if (opens[w] && ends[w])", "if (opens[w] && !any_q[w])", "inflight", "Owing"),
        ("lsu_inflight.sv", "b == FaultNone || a < b", "b == FaultNone || a > b", "inflight", "Fault"),
        ("lsu_address_lane.sv", "dword_t'(words_i[0])", "dword_t'(words_i[1])", "wiring-address", "Dword"),
        ("lsu_address.sv", "l++) z_o[l] <= addr_i[l][2]", "l++) z_o[l] <= addr_i[l][1]", "wiring-address", "Indices"),
        (
            "lsu_address.sv",
            "head_o.group <= lowest(rest_q)",
            "head_o.group <= head_o.group + group_t'(1)",
            "wiring-address",
            "Group",
        ),
        (
            "lsu_window.sv",
            "scratches[chosen_i.buffer[1:0]]",
            "scratches[chosen_i.buffer[2:1]]",
            "wiring-window",
            "ABuffer",
        ),
        ("lsu_window.sv", "stride, row_index(uav.dimension, y[15:0])", "stride, x[15:0]", "wiring-window", "At"),
        (
            "lsu_window.sv",
            "structured_q[l] = head_i.swap && op.addr_mode == AddrStruct",
            "structured_q[l] = head_i.swap",
            "wiring-window",
            "Struct",
        ),
        ("lsu_lead.sv", ">= LINE_BYTES / 4", "> LINE_BYTES / 4", "coalesce", "Lead"),
        ("lsu_coalesce.sv", "any[2*n] ? led[2*n]", "any[2*n+1] ? led[2*n]", "coalesce", "BackLead"),
        ("lsu_coalesce.sv", "next_q[l] == lead_line_q", "line_q[l] == lead_line_q", "coalesce", "Taken"),
        ("lsu_coalesce.sv", "(!job_q.mmio || lead_q[l])", "(!job_q.mmio || lead_q[0])", "coalesce", "Back"),
        ("lsu_inflight.sv", "close || (done_valid_o && !done_ready_i)", "close", "inflight", "Report"),
        ("lsu_store_choose.sv", "offer_q && !recall_q[offer_warp_q]", "offer_q", "store", "Order"),
        ("lsu_store_fence.sv", "!in_spad[e] && (older_i[e] & undone_i) == '0", "!in_spad[e]", "store", "Looked"),
        ("lsu_store.sv", "nothing_q <= nothing;", "nothing_q <= nothing && placed_i.op.warp[0];", "store", "Entries"),
    ] {
        let copy = faulty(file, from, to);
        let verdict = verdicts(copy.path(), &[part]).unwrap().remove(0);
        let Outcome::Fails(trace) = verdict.outcome else { panic!("{to}: {:?}", verdict.outcome) };
        assert_eq!(trace.assertion, assertion, "{to}");
        let reset = trace.signals.iter().position(|signal| signal.name == "rst_ni").unwrap();
        let resets: Vec<u64> = trace.cycles.iter().map(|cycle| cycle[reset]).collect();
        assert!(resets[0] == 0 && resets.len() >= 2 && resets[1..].iter().all(|&high| high == 1), "{to}: {resets:?}");
    }
}

/// A tree that is not the loop beside it, or a loop that is not the tree.
#[test]
fn faults_of_one_twin_are_found() {
    for (file, from, to, part) in [
        ("lsu_internal_pkg.sv", "k < 5; k++) below", "k < 4; k++) below", "tree-bits"),
        ("lsu_spad_pkg.sv", "x[n*4+2+:2] != '0)", "x[n*4+2])", "tree-bits"),
        ("lsu_spad_pkg.sv", "(x & (x - 32'd1))", "(x & (x - 32'd2))", "tree-bits"),
        ("lsu_cas.sv", "m < l && front_at[m]", "m <= l && front_at[m]", "tree-cas"),
        ("lsu_cas.sv", "acts[l] = !taken[lane_at_q[l]];", "acts[l] = !taken[lane_at_q[0]];", "tree-cas"),
        ("lsu_inflight.sv", "borrow[2] & ~down[2], down", "borrow[2], down", "tree-inflight"),
        ("lsu_inflight.sv", "if (over_q) count_d", "if (over_q && !settled_q) count_d", "tree-inflight"),
        ("lsu_pending.sv", "i >= 0; i--) if (!busy_q[i])", "i > 0; i--) if (!busy_q[i])", "tree-pending"),
        (
            "lsu_internal_pkg.sv",
            "+:AddrPart] == other[p*AddrPart+:AddrPart]",
            "+:5] == other[p*AddrPart+:5]",
            "tree-bits",
        ),
        ("lsu_spad_pick.sv", "look = go_i;", "look = go_i && rest_i[0] != '0;", "tree-pick"),
        ("lsu_spad_banks.sv", "near_q && be[i]", "near_q && write_then_q && be[i]", "tree-banks"),
        ("lsu_spad_banks.sv", "if (used_q[b] && found.stores)", "if (found.stores)", "tree-banks"),
        ("lsu_spad_match.sv", "(b / 8 == 32'(word_i[l])", "(b == 32'(word_i[l])", "tree-match"),
        ("lsu_spad_match.sv", "(!swap_i && word_i[l] == word_i[m])", "word_i[l] == word_i[m]", "tree-match"),
        ("lsu_spad_match.sv", "lower[l] = latest[bank];", "lower[l] = -1;", "tree-match"),
        ("lsu_data.sv", "<= spad_mem[spad_entry_i]", "<= spad_mem[merge_entry_i]", "tree-data"),
        ("lsu_data.sv", "mem[w][merge_entry_i]", "mem[w][spad_entry_i]", "tree-data"),
        ("lsu_merge.sv", "movers[LANES-1-l] = lane_bytes", "movers[l] = lane_bytes", "tree-merge"),
        ("lsu_merge.sv", "+:32] = block_q[3'(w)][l]", "+:32] = block_q[c][l]", "tree-merge"),
        ("lsu_merge.sv", "i == 0 || i * 4 < 32'(bytes_q)", "i == 0", "tree-merge"),
        ("lsu_spad_merge.sv", "1'b0)][writer_i[b][0]]", "1'b0)][writer_i[b][1]]", "tree-spad-merge"),
        ("lsu_spad_merge.sv", "if (writer != {4{writer[0]}})", "if (writer[1] != writer[0])", "tree-spad-merge"),
        ("lsu_admit.sv", "ones[1] ^ twos[0]", "ones[1] | twos[0]", "tree-admit"),
        ("lsu_admit.sv", "$countones(op_i.present_gprs)", "$countones(op_i.present_gprs[14:0])", "tree-admit"),
        ("lsu_coalesce.sv", "any[2*n] ? led[2*n]", "any[2*n+1] ? led[2*n]", "tree-coalesce"),
        ("lsu_coalesce.sv", "needed(high_rest_q != '0)", "needed(high_rest_q[0])", "tree-coalesce"),
        ("lsu_spad_collect.sv", "served_q[l][p]) words[collect", "served_q[l][0]) words[collect", "tree-collect"),
        ("lsu_spad_collect.sv", "LaneBits'(l), 2'(p)}] =", "LaneBits'(l), 2'(0)}] =", "tree-collect"),
        ("lsu_round_robin.sv", "index_o = IndexBits'(i);", "index_o |= IndexBits'(i + 1);", "loop-turns"),
        ("lsu_address.sv", "op.use_index, addr_i[l][0]", "op.use_index, addr_i[0][0]", "loop-address"),
        ("lsu_window.sv", "at_q[l] = ea[ADDR_WIDTH-1:0];", "at_q[l] = ea_i[l][ADDR_WIDTH-1:0];", "loop-window"),
        ("lsu_window.sv", "if (needed(a_valid_q))", "if (needed(valid_i))", "loop-window"),
        ("lsu_order.sv", "needed(valid_i || joins != '0)", "needed(joins != '0)", "loop-order"),
        ("lsu_store.sv", "if (needed(valid_i)) for", "if (needed(valid_i && needs_spad)) for", "loop-store"),
    ] {
        let copy = faulty(file, from, to);
        let verdict = verdicts(copy.path(), &[part]).unwrap().remove(0);
        assert!(matches!(verdict.outcome, Outcome::Fails(_)), "{to}: {:?}", verdict.outcome);
    }
}

/// What fails after more cycles than a run is looked for has no run; nor is it proved.
#[test]
fn what_fails_late_is_not_proved() {
    let late = "logic [5:0] age_q;
  always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) age_q <= '0; else if (age_q != '1) age_q <= age_q + 6'd1;
  assign full_o = count_q[Bits] || age_q == 6'd40;";
    let copy = faulty("lsu_fifo.sv", "assign full_o = count_q[Bits];", late);
    let verdict = verdicts(copy.path(), &["fifo"]).unwrap().remove(0);
    let Outcome::NotKept(trace) = verdict.outcome else { panic!("{:?}", verdict.outcome) };
    assert_eq!((trace.assertion.as_str(), trace.cycles.len()), ("Full", 2));
}

/// The command writes the run as a wave.
#[test]
fn what_is_not_kept_becomes_a_wave() {
    let copy = faulty("lsu_fifo.sv", "full_o = count_q[Bits]", "full_o = count_q >= (Bits + 1)'(DEPTH - 1)");
    let prove = |options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-lsu"));
        command.args(["prove", "--block", "fifo", "--rtl"]).arg(copy.path()).args(options).current_dir(copy.path());
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert_eq!(output.stderr, b"error: the RTL does not keep its promise: fifo\n");
        String::from_utf8(output.stdout).unwrap()
    };
    let said = prove(&[]);
    let words: Vec<&str> = said.split_whitespace().collect();
    assert!(words.join(" ").contains("`Full` does not hold 4 cycles after reset: ./prove-fifo.vcd"), "{said}");
    let mut wave = wellen::simple::read(copy.path().join("prove-fifo.vcd")).unwrap();
    let changes = changes(&mut wave, "proof.full");
    assert_eq!(changes.last().map(|(time, value)| (*time, value.as_str())), Some((40, "1")), "{changes:?}");

    let row: serde_json::Value = serde_json::from_str(prove(&["--json"]).lines().next().unwrap()).unwrap();
    assert_eq!((&row["verdict"], &row["assertion"]), (&"counterexample".into(), &"Full".into()));
    assert_eq!(row["wave"], "./prove-fifo.vcd");
}

/// Each block's formula, where the solver evaluates it, is what the model computes: a wrong term proves nothing.
#[test]
fn both_readings_of_the_model_agree() {
    let tools = Tools::find().expect("`scripts/setup test` installs the tools");
    let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
    for name in prove::functions() {
        for _ in 0..8 {
            let mut bits = |width: u32| random.random::<u64>() >> (64 - width) >> random.random_range(0..width);
            prove::reading(name, &tools, &mut bits).unwrap();
        }
    }
}

/// The command says what it has found, though nobody reads it or it cannot be written, and which RTL it is about.
#[test]
#[cfg(target_os = "linux")]
fn a_difference_outlives_its_reader() {
    let copy = faulty("lsu_align_pkg.sv", "ea & ~{59'b0, bytes - 5'd1}", "ea & ~{61'b0, 3'(bytes - 5'd1)}");
    let start = |stdout: Stdio, options: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-lsu"));
        // The directory that GPU_LSU_RTL names is the one that is meant.
        command.args(["prove", "--block", "align"]).args(options).env("GPU_LSU_RTL", copy.path());
        command.current_dir(copy.path()).stdout(stdout).stderr(Stdio::piped()).spawn().unwrap()
    };
    for options in [&[][..], &["--json"]] {
        let mut child = start(Stdio::piped(), options);
        drop(child.stdout.take());
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        for child in [child, start(full.into(), options)] {
            let output = child.wait_with_output().unwrap();
            let err = String::from_utf8(output.stderr).unwrap();
            assert!(err.starts_with("error: RTL and model differ: align\n"), "{options:?}: {err}");
            assert_eq!(output.status.code(), Some(1), "{options:?}: {err}");
        }
    }
    let output = start(Stdio::piped(), &["--json"]).wait_with_output().unwrap();
    let total: serde_json::Value =
        serde_json::from_slice(output.stdout.split(|&byte| byte == b'\n').nth(1).unwrap()).unwrap();
    assert_eq!((&total["verdict"], &total["proved"]), (&"counterexample".into(), &false.into()));
    assert_eq!(total["rtl"]["hash"], gpu_lsu::rtl::Sources::of(copy.path()).unwrap().hash);
}

/// GPU_LSU_SOLVER: another solver proves the same and finds the same; one that is not there, or no solver, proves nothing.
#[test]
fn a_second_solver_says_the_same() {
    let copy = faulty("lsu_fifo.sv", "full_o = count_q[Bits]", "full_o = count_q >= (Bits + 1)'(DEPTH - 1)");
    let prove = |solver: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-lsu"));
        command.args(["prove", "--block", "fifo", "--block", "turns", "--block", "clamp", "--rtl"]).arg(copy.path());
        let output = command.env("GPU_LSU_SOLVER", solver).current_dir(copy.path()).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
        (output.status.code(), out, err)
    };
    // Not set, and set to nothing, are the same.
    for (solver, name) in [("", "bitwuzla"), ("cvc5 --lang=smt2 --bitblast=eager", "cvc5")] {
        let (code, out, err) = prove(solver);
        assert_eq!((code, err.as_str()), (Some(1), "error: the RTL does not keep its promise: fifo\n"), "{out}");
        let said = |block: &str| out.lines().find(|line| line.starts_with(block)).unwrap().to_owned();
        assert!(said("turns").contains("proved") && said("clamp").contains("proved"), "{out}");
        assert!(said("turns").contains(name), "{out}");
        assert!(
            out.split_whitespace().collect::<Vec<_>>().join(" ").contains("does not hold 4 cycles after reset"),
            "{out}"
        );
    }
    let (code, out, err) = prove("false");
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("false ended without an answer"), "{out}");
}

#[test]
fn a_tool_that_is_named_is_there() {
    for (variable, program) in
        [("GPU_LSU_SOLVER", "no-such-solver"), ("GPU_LSU_SOLVER", "/none/cvc5"), ("GPU_LSU_YOSYS", "/none/yosys")]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-lsu"));
        let output =
            command.args(["prove", "--block", "clamp"]).env(variable, format!("{program} -q")).output().unwrap();
        let err = String::from_utf8(output.stderr).unwrap();
        let text = format!("error: {variable} names `{program}`, which is not there\n\nhint: name one that is; ");
        assert!(err.starts_with(&text) && output.status.code() == Some(2), "{err}");
    }
}

#[test]
fn what_is_not_there_is_no_proof() {
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(verdicts(empty.path(), &[]), Err(ProveError::NoRtl(_))));
    assert!(matches!(verdicts(rtl(), &["nothing"]), Err(ProveError::UnknownBlock { .. })));
    fs::write(empty.path().join("lsu_pkg.sv"), "package lsu_pkg; endpackage\n").unwrap();
    let verdict = verdicts(empty.path(), &["array"]).unwrap().remove(0);
    assert!(matches!(verdict.outcome, Outcome::Refused(_)), "{:?}", verdict.outcome);
}

/// What a list says besides files is part of the RTL: a fault that only its macro makes is found, and a header is read.
#[test]
fn a_list_says_which_rtl_it_is() {
    let fault = "`ifdef MY_UNIT\n    s.stores = `MY_UNIT;\n`else\n    s.stores = memory == compare;\n`endif\n`ifdef MORE\n    \
                 s.stores = s.stores ^ `MORE;\n`endif";
    let copy = faulty("lsu_cas_pkg.sv", "s.stores = memory == compare;", fault);
    let files: String = fs::read_dir(copy.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with("_pkg.sv"))
        .map(|name| name + "\n")
        .collect();
    let outcome = |list: &str| {
        let path = copy.path().join("my.f");
        fs::write(&path, format!("{files}{list}")).unwrap();
        verdicts(&path, &["cas"]).map(|mut verdicts| verdicts.remove(0).outcome)
    };
    assert_eq!(outcome("").unwrap(), Outcome::Proved);
    assert!(matches!(outcome("+define+MY_UNIT=1\n").unwrap(), Outcome::Differs(_)));
    assert!(matches!(outcome("+define+OTHER+MORE=1'b1\n").unwrap(), Outcome::Differs(_)));
    // A macro without a value is empty, as it is for Verilator.
    assert!(matches!(outcome("+define+MY_UNIT\n").unwrap(), Outcome::Refused(_)));
    assert!(matches!(outcome("+define+MY_UNIT=\"1\"\n"), Err(ProveError::Define(_))));

    fs::create_dir(copy.path().join("inc")).unwrap();
    fs::write(copy.path().join("inc/my.svh"), "`define MY_UNIT 1'b1\n").unwrap();
    sources::change(copy.path(), "lsu_cas_pkg.sv", "package lsu_cas_pkg;", "`include \"my.svh\"\npackage lsu_cas_pkg;");
    assert!(matches!(outcome("+incdir+inc\n").unwrap(), Outcome::Differs(_)));
    // What one file defines for the next one is not known where each is read by itself.
    sources::change(copy.path(), "lsu_cas_pkg.sv", "`include \"my.svh\"\n", "");
    fs::write(copy.path().join("first.sv"), "`define MY_UNIT 1'b1\n").unwrap();
    assert!(matches!(outcome("first.sv\n"), Err(ProveError::Macro { .. })));
}

/// Two files of one name would be one where Yosys reads them.
#[test]
fn two_files_of_one_name_are_refused() {
    let copy = tempfile::tempdir().unwrap();
    sources::copy(copy.path());
    fs::create_dir(copy.path().join("sub")).unwrap();
    let same = fs::read(copy.path().join("lsu_cas_pkg.sv")).unwrap();
    fs::write(copy.path().join("sub/lsu_cas_pkg.sv"), &same).unwrap();
    assert_eq!(verdicts(copy.path(), &["cas"]).unwrap()[0].outcome, Outcome::Proved);
    sources::change(&copy.path().join("sub"), "lsu_cas_pkg.sv", "s.stores = memory == compare", "s.stores = 1'b1");
    assert!(matches!(verdicts(copy.path(), &["cas"]), Err(ProveError::Twice { name }) if name == "lsu_cas_pkg.sv"));
}

/// What is found is told at once, and stands: neither a block before it nor whoever ends the proof is waited for.
#[test]
fn a_counterexample_waits_for_nobody() {
    let copy = faulty("lsu_cas_pkg.sv", "s.stores = memory == compare", "s.stores = 1'b1");
    let settings = Settings {
        rtl: copy.path().to_owned(),
        blocks: ["uav", "cas"].map(str::to_owned).to_vec(),
        jobs: NonZero::new(2).unwrap(),
        limit: Duration::from_secs(600),
    };
    let tools = Tools::find().expect("`scripts/setup test` installs the tools");
    let (stop, mut told) = (AtomicBool::new(false), Vec::new());
    let result = prove::prove(&settings, &tools, &stop, |verdict| {
        told.push((verdict.block, verdict.outcome.is_counterexample()));
        stop.store(true, Ordering::Relaxed);
    });
    assert!(matches!(result, Err(ProveError::Interrupted)), "{result:?}");
    assert_eq!(told, [("cas", true)]);
}

/// A package with a text of its own for simulators is proved as hardware alone, and this is said.
#[test]
fn what_only_a_simulator_reads_is_not_proved() {
    let fault = "\n`ifndef SYNTHESIS\n    s.stores = 1'b1;\n`else\n    s.stores = memory == compare;\n`endif";
    let copy = faulty("lsu_cas_pkg.sv", "s.stores = memory == compare;", fault);
    let mut command = Command::new(env!("CARGO_BIN_EXE_gpu-lsu"));
    command.args(["prove", "--block", "cas", "--json", "--rtl"]).arg(copy.path()).current_dir(copy.path());
    let output = command.output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert_eq!(err, "note: proved as hardware alone, as SYNTHESIS makes it: lsu_cas_pkg.sv\n");
    let total: serde_json::Value = serde_json::from_str(out.lines().nth(1).unwrap()).unwrap();
    assert_eq!(total["hardware_alone"][0], "lsu_cas_pkg.sv");
}
