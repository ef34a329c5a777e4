// SPDX-License-Identifier: MIT OR Apache-2.0
//! The stores of campaigns are those that statements lower to, and their text says which statement.

use std::collections::BTreeSet;

use gpu_lsu::{
    clause::Clause,
    cosim::{Issue, Mismatch, capsule::Capsule, stimulus, waves},
    judge::{Field, Site},
    model::legal,
    op::{AddrMode, Op, Rule, Semantics, Shape, Space},
    sets::{
        Isa,
        ptx::{self, NEWEST, Places, lower, parse},
    },
};

const PLACES: Places = Places { variables: [0; 8], shared_window: 0, local_window: 0 };

fn stores() -> impl Iterator<Item = Issue> {
    let shape = Shape::with_lanes(4);
    let issues = (0..64).flat_map(move |number| stimulus::block(Some(Isa::Ptx), 1, number, &shape, 256).case.issues);
    issues.filter(|issue| issue.op.rule() == Rule::Ptx && legal(&issue.op))
}

#[test]
fn every_store_has_a_statement_that_lowers_to_it() {
    let (target, version) = NEWEST;
    let mut forms = BTreeSet::new();
    for issue in stores() {
        // A number alone is an address in .local; elsewhere such a store names a variable, and st.param always does.
        let named = issue.op.addr_mode == AddrMode::Abs as u8 && issue.op.space != Space::Local as u8;
        if named || issue.op.space == Space::Param as u8 || nameless(&issue.op) {
            continue;
        }
        let text = waves::text(&issue);
        let inst = parse(&text, target, version).unwrap_or_else(|refusal| panic!("{text}: {refusal:?}"));
        assert_eq!(inst.to_string(), text);
        let Op { warp, tag, suppress_helpers, .. } = issue.op;
        let lowered = lower(&inst, &PLACES);
        assert_eq!(Op { warp, tag, suppress_helpers, ..lowered.op }, issue.op, "{text}");
        forms.insert(text.split(' ').next().unwrap().to_owned());
    }
    assert!(forms.len() > 1000, "{}", forms.len());
}

/// Eight elements narrower than a register: `.v8` of 8 or 16 bits (PTX-L19).
fn narrow(op: &Op) -> bool {
    op.element_count == 8 && op.element_bytes < 4
}

/// Sinks in less than 256 bits (PTX-L13).
fn sunk(op: &Op) -> bool {
    op.access_bytes() < 32 && u32::from(op.element_mask) + 1 != 1 << op.element_count
}

/// Two elements of 128 bits (PTX-L11), several of mmio (PTX-L4), and an order in a thread's own memory (PTX-L2).
fn rare(op: &Op) -> bool {
    let semantics = Semantics::from_code(op.attr.semantics);
    let mmio = matches!(semantics, Some(Semantics::Mmio | Semantics::MmioRelease));
    let ordered = !matches!(semantics, Some(Semantics::Weak | Semantics::Volatile));
    (op.element_bytes, op.element_count) == (16, 2)
        || mmio && op.element_count > 1
        || op.space == Space::Local as u8 && ordered
        || op.space == Space::Param as u8 && semantics != Some(Semantics::Weak)
}

/// Those, and 256 bits out of global memory (PTX-L12).
fn nameless(op: &Op) -> bool {
    let global = [Space::Generic as u8, Space::Global as u8].contains(&op.space);
    narrow(op) || sunk(op) || rare(op) || op.access_bytes() == 32 && !global
}

/// The op port carries them nevertheless, with sinks and without.
#[test]
fn stores_that_no_statement_makes_say_so() {
    let (target, version) = NEWEST;
    let mut made = BTreeSet::new();
    let mut sinks = BTreeSet::new();
    let (mut wide, elsewhere) = (0, "(a store of 256 bits out of global memory, which no statement makes)");
    let mut others = BTreeSet::new();
    for issue in stores().filter(|issue| nameless(&issue.op)) {
        if rare(&issue.op) {
            others.insert(waves::text(&issue));
            continue;
        }
        if !narrow(&issue.op) && sunk(&issue.op) {
            let bits = 8 * issue.op.access_bytes();
            let text = format!("(a store with sinks in {bits} bits, which no statement makes)");
            assert_eq!(waves::text(&issue), text);
            assert!(parse(&ptx::text(&issue.op), target, version).is_err());
            sinks.insert((issue.op.element_bytes, issue.op.element_count));
            continue;
        }
        if !narrow(&issue.op) {
            assert_eq!(waves::text(&issue), elsewhere);
            wide += 1;
            continue;
        }
        let bits = 8 * issue.op.element_bytes;
        let text = format!("(a store of 8 elements of {bits} bits, which no statement makes)");
        assert_eq!(waves::text(&issue), text);
        assert!(parse(&ptx::text(&issue.op), target, version).is_err());
        made.insert((bits, issue.op.element_mask == 0xff));
    }
    assert!(wide > 10, "{wide}");
    let makes = |text: &String| text.ends_with("which no statement makes)");
    assert!(others.len() == 3 && others.iter().all(makes), "{others:?}");
    assert_eq!(Vec::from_iter(sinks), [(1, 2), (1, 4), (2, 2), (2, 4)]);
    assert_eq!(Vec::from_iter(made), [(8, false), (8, true), (16, false), (16, true)]);
}

#[test]
fn a_spoiled_store_has_none() {
    let shape = Shape::with_lanes(4);
    let issues = stimulus::block(Some(Isa::Ptx), 1, 0, &shape, 256).case.issues;
    let spoiled: Vec<_> = issues.iter().filter(|issue| !legal(&issue.op)).collect();
    assert!(!spoiled.is_empty());
    assert!(spoiled.iter().all(|issue| waves::text(issue) == "(an operation that no front end lets through)"));
}

#[test]
fn a_capsule_holds_them() {
    for number in 0..4 {
        let case = stimulus::block(Some(Isa::Ptx), 1, number, &Shape::with_lanes(4), 64).case;
        let capsule = Capsule {
            seed: 1,
            block: number,
            case,
            mismatch: Mismatch::new(Clause::PtxSem, Some(0), Field::event(Site::Done, "order")),
            rtl: None,
            promises: gpu_lsu::judge::Promises::OURS,
        };
        assert_eq!(Capsule::from_text(&capsule.to_text()).unwrap(), capsule);
    }
}
