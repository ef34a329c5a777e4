// SPDX-License-Identifier: MIT OR Apache-2.0
//! A result as JUnit XML, which CI servers show: a test suite for the campaign, with a test case for each clause of
//! each instruction set, and one for the campaign itself, which fails if something is missing.

use super::{
    group::Group,
    results::{Results, Verdict},
    xml::{Attributes, Xml},
};
use crate::judge::coverage::Row;

/// Returns the report of a result. `capsule` names the file with the smallest case of a failure, if there is one.
/// `shortfall` says what is missing of the required coverage.
pub fn text(results: &Results, capsule: &dyn Fn(&Group) -> Option<String>, shortfall: Option<&str>) -> String {
    let rows = results.rows();
    let groups = results.groups.sorted();
    // A failure names a clause, but not the instruction set of its operation: the first row of the clause shows it.
    let of_row = |place: usize| -> Vec<&Group> {
        let first = |group: &Group| rows.iter().position(|row| row.clause == group.mismatch.clause.id());
        groups.iter().copied().filter(|group| first(group) == Some(place)).collect()
    };
    let homeless: Vec<&Group> = groups
        .iter()
        .copied()
        .filter(|group| !rows.iter().any(|row| row.clause == group.mismatch.clause.id()))
        .collect();
    let errors = errors(results, shortfall);
    let failing = (0..rows.len()).filter(|&place| !of_row(place).is_empty()).count() + homeless.len();
    let skipped = (0..rows.len()).filter(|&place| rows[place].hits == 0 && of_row(place).is_empty()).count();
    let [tests, failing, wrong, skipped] =
        [rows.len() + homeless.len() + 1, failing, usize::from(!errors.is_empty()), skipped]
            .map(|number| number.to_string());
    let time = format!("{:.3}", results.seconds);
    let counts: Attributes<'_> =
        &[("tests", &tests), ("failures", &failing), ("errors", &wrong), ("skipped", &skipped), ("time", &time)];

    let option = results.campaign.fault.map_or(String::new(), |fault| format!(" --fault {fault}"));
    let replay = |group: &Group| capsule(group).map(|file| format!("gpu-lsu replay {file}{option}"));
    let mut xml = Xml::new();
    xml.element("testsuites", &[&[("name", "gpu-lsu")], &counts[..4]].concat(), |xml| {
        xml.element("testsuite", &[&[("name", "gpu-lsu verify")], counts].concat(), |xml| {
            xml.element("properties", &[], |xml| {
                for (name, value) in properties(results) {
                    xml.empty("property", &[("name", name), ("value", &value)]);
                }
            });
            case(xml, "gpu-lsu", "campaign", &[], |xml| {
                for (kind, text) in &errors {
                    let message = text.lines().next().unwrap_or_default();
                    xml.text("error", &[("type", kind), ("message", message)], text);
                }
            });
            for group in homeless {
                case(xml, "gpu-lsu", group.mismatch.clause.id(), &[], |xml| failure(xml, group, &replay));
            }
            for (place, row) in rows.iter().enumerate() {
                clause(xml, row, &of_row(place), &replay);
            }
        });
    });
    xml.finish()
}

fn case(xml: &mut Xml, class: &str, name: &str, more: Attributes<'_>, inside: impl FnOnce(&mut Xml)) {
    let attributes = [&[("classname", class), ("name", name), ("time", "0")], more].concat();
    xml.element("testcase", &attributes, inside);
}

fn clause(xml: &mut Xml, row: &Row, groups: &[&Group], replay: &dyn Fn(&Group) -> Option<String>) {
    let class = format!("gpu-lsu.{}", row.rule);
    case(xml, &class, &row.clause, &[], |xml| {
        groups.iter().for_each(|group| failure(xml, group, replay));
        if groups.is_empty() && row.hits == 0 {
            xml.empty("skipped", &[("message", "no operation of the campaign hit a bin of it")]);
        }
        let mut said = format!("{} of {} bins hit, {} hits", row.hit, row.bins, row.hits);
        if !row.empty.is_empty() {
            said += &format!("\nnot hit: {}", row.empty.join("; "));
        }
        xml.text("system-out", &[], &said);
    });
}

fn failure(xml: &mut Xml, group: &Group, replay: &dyn Fn(&Group) -> Option<String>) {
    let Group { mismatch, count, places, .. } = group;
    let mut text = format!("{mismatch}\n\nfailing blocks: {count}\n");
    for place in places {
        text += &format!("seed {:#x}, block {}\n", place.seed, place.block);
    }
    if let Some(command) = replay(group) {
        text += &format!("\nreplay it with `{command}`\n");
    }
    let message = format!("{}: {}: {count} blocks", mismatch.names(), mismatch.field.cause());
    xml.text("failure", &[("type", mismatch.clause.id()), ("message", &message)], &text);
}

/// The reasons other than failures why the campaign is no success: a kind and a sentence each.
fn errors(results: &Results, shortfall: Option<&str>) -> Vec<(&'static str, String)> {
    let mut errors = Vec::new();
    let shards = &results.shards;
    if !shards.is_whole() && results.verdict() == Verdict::Incomplete {
        let text = format!("{} of {} shards are there and came to their end", shards.complete(), shards.of);
        errors.push(("incomplete", text));
    }
    if results.figures.comparisons == 0 {
        errors.push(("nothing compared", "nothing was compared".to_owned()));
    }
    errors.extend(shortfall.map(|text| ("coverage", text.trim_start_matches("error: ").to_owned())));
    errors
}

fn properties(results: &Results) -> Vec<(&'static str, String)> {
    let Results { campaign, figures, .. } = results;
    let seeds: Vec<String> = campaign.seeds.iter().map(|seed| format!("{:#x}", seed.0)).collect();
    vec![
        ("seeds", seeds.join(" ")),
        ("isa", campaign.isa.map_or("all", |isa| isa.name()).to_owned()),
        ("rtl", campaign.rtl.clone()),
        ("unit", campaign.unit_name()),
        ("operations", figures.operations.to_string()),
        ("cycles", figures.cycles.to_string()),
        ("comparisons", figures.comparisons.to_string()),
        ("not judged", results.not_judged().join("; ")),
    ]
}
