// SPDX-License-Identifier: MIT OR Apache-2.0
//! The page of all campaigns in a folder: failures by clause, rates over time, coverage by clause with its bins. It needs no
//! script and nothing from elsewhere.

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::{
    campaign::{Campaign, Failure},
    plot::{self, Line},
};
use crate::{
    clause::Clause,
    cli::{
        report::count,
        verify::summary::{AGREES, TOO_LITTLE},
    },
};

const STYLE: &str = include_str!("style.css");

/// How it begins.
pub const BEGINNING: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
                             content=\"width=device-width, initial-scale=1\"><meta name=\"color-scheme\" \
                             content=\"light dark\"><title>gpu-lsu: ";

/// The page.
pub fn page(campaigns: &[Campaign]) -> String {
    let failures = failures(campaigns);
    let operations: u64 = campaigns.iter().map(|campaign| campaign.operations).sum();
    let title = format!("gpu-lsu: {}, {}", count(campaigns.len() as u64, "campaign"), verdicts(campaigns));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (title) }
                    p { (count(operations, "operation")) " agreed." }
                    nav { a href="#failures" { "Failures" } " " a href="#rates" { "Rates" } " "
                          a href="#coverage" { "Coverage" } " " a href="#campaigns" { "Campaigns" } }
                }
                main {
                    (failing(&failures, campaigns))
                    (rates(campaigns))
                    (coverage(campaigns))
                    (table(campaigns))
                }
            }
        }
    };
    page.into_string() + "\n"
}

/// What came of all: `1 interrupted, nothing diverged`.
fn verdicts(campaigns: &[Campaign]) -> String {
    let mut others: BTreeMap<&str, usize> = BTreeMap::new();
    for campaign in unfinished(campaigns) {
        let what = match campaign.verdict.as_str() {
            TOO_LITTLE => "covered too little",
            "nothing compared" => "compared nothing",
            verdict => verdict,
        };
        *others.entry(what).or_default() += 1;
    }
    let failed = campaigns.iter().filter(|campaign| campaign.failure.is_some()).count();
    let diverged = match failed {
        0 => "nothing diverged".to_owned(),
        _ => format!("{} diverged", count(failed as u64, "campaign")),
    };
    let others = others.iter().map(|(what, number)| format!("{number} {what}, "));
    others.chain([diverged]).collect()
}

/// Those that found nothing, and did not do all that they were to do.
fn unfinished(campaigns: &[Campaign]) -> impl Iterator<Item = &Campaign> {
    campaigns.iter().filter(|campaign| campaign.failure.is_none() && campaign.verdict != AGREES)
}

/// By clause.
fn failures(campaigns: &[Campaign]) -> BTreeMap<&str, Vec<(&Campaign, &Failure)>> {
    let mut failures: BTreeMap<&str, Vec<_>> = BTreeMap::new();
    for campaign in campaigns {
        if let Some(failure) = &campaign.failure {
            failures.entry(failure.clause.as_str()).or_default().push((campaign, failure));
        }
    }
    failures
}

/// What a clause says.
fn sentence(id: &str) -> &'static str {
    id.parse::<Clause>().map_or("", Clause::text)
}

fn failing(failures: &BTreeMap<&str, Vec<(&Campaign, &Failure)>>, campaigns: &[Campaign]) -> Markup {
    html! {
        section id="failures" {
            h2 { "Failures" }
            @if failures.is_empty() { p { (if unfinished(campaigns).next().is_none() { "None." } else { "None was found." }) } }
            @for campaign in unfinished(campaigns) {
                p { (campaign.isa) ", seed " code { (campaign.seed) } ": " (campaign.verdict) }
            }
            @for (clause, all) in failures {
                details open {
                    summary { strong { (clause) } " " (count(all.len() as u64, "campaign")) " " span class="quiet" { (sentence(clause)) } }
                    @for (campaign, failure) in all { (one(campaign, failure)) }
                }
            }
        }
    }
}

fn one(campaign: &Campaign, failure: &Failure) -> Markup {
    let links = [("page", &failure.page), ("capsule", &failure.capsule), ("wave", &failure.wave)];
    html! {
        article {
            h3 { (campaign.isa) ", seed " code { (campaign.seed) } ", block " (failure.block) }
            p { (failure.text) }
            @if !failure.or.is_empty() { p class="quiet" { "Would explain it as well: " (failure.or.join(", ")) } }
            pre { @for line in &failure.program { (line) "\n" } }
            @if !failure.look.is_empty() {
                details {
                    summary { "Lines of the RTL to look at first" }
                    ol { @for line in &failure.look { li { code { (line) } } } }
                }
            }
            p {
                @for (name, file) in links {
                    @if let Some(file) = file { a href=(file) { (name) } " " }
                }
                @if let Some(capsule) = &failure.capsule { code { "gpu-lsu replay " (capsule) } }
            }
        }
    }
}

fn rates(campaigns: &[Campaign]) -> Markup {
    let name = |campaign: &Campaign| format!("{} {}", campaign.isa, campaign.seed);
    let rates: Vec<Line> = campaigns
        .iter()
        .map(|campaign| Line { name: name(campaign), points: plot::rate(&campaign.progress) })
        .collect();
    let operations: Vec<Line> = campaigns
        .iter()
        .map(|campaign| {
            let points = campaign.progress.iter().map(|&(at, operations)| (at, operations as f64)).collect();
            Line { name: name(campaign), points }
        })
        .collect();
    html! {
        section id="rates" {
            h2 { "Rates" }
            div class="plots" {
                (plot::lines("Operations a second", "operations/s", &rates))
                (plot::lines("Operations", "since the beginning", &operations))
            }
        }
    }
}

/// Of all campaigns together.
fn coverage(campaigns: &[Campaign]) -> Markup {
    let mut rules: BTreeMap<&str, BTreeMap<&str, BTreeMap<&str, u64>>> = BTreeMap::new();
    for clause in campaigns.iter().flat_map(|campaign| &campaign.coverage) {
        let bins = rules.entry(&clause.rule).or_default().entry(&clause.id).or_default();
        clause.bins.iter().for_each(|(name, hits)| *bins.entry(name).or_default() += hits);
    }
    let hit = |bins: &BTreeMap<&str, u64>| bins.values().filter(|hits| **hits > 0).count();
    let all: Vec<_> = rules.values().flat_map(BTreeMap::values).collect();
    let (hits, bins) =
        (all.iter().map(|bins| hit(bins)).sum::<usize>(), all.iter().map(|bins| bins.len()).sum::<usize>());
    html! {
        section id="coverage" {
            h2 { "Coverage" }
            p { (hits) " of " (bins) " bins hit, by all campaigns together." }
            label { input type="checkbox" id="missing"; " only clauses with bins that nothing hit" }
            @for (rule, clauses) in &rules {
                h3 { (rule) }
                @for (clause, bins) in clauses {
                    details class=(if hit(bins) == bins.len() { "full" } else { "lacking" }) {
                        summary {
                            span class="id" { (clause) } (plot::bar(hit(bins) as f64 / bins.len().max(1) as f64))
                            span class="number" { (hit(bins)) "/" (bins.len()) }
                            span class="quiet" { (sentence(clause)) }
                        }
                        (bin_table(bins))
                    }
                }
            }
        }
    }
}

/// Those that nothing hit first; bars by the logarithm, as hits differ a thousandfold.
fn bin_table(bins: &BTreeMap<&str, u64>) -> Markup {
    let log = |hits: u64| (hits as f64 + 1.0).ln();
    let most = bins.values().copied().map(log).fold(0.0, f64::max);
    let mut rows: Vec<_> = bins.iter().collect();
    rows.sort_by_key(|(_, hits)| **hits > 0);
    html! {
        table {
            thead { tr { th scope="col" { "bin" } th scope="col" { "hits" } th scope="col" { "hits, logarithmic" } } }
            tbody {
                @for (name, &hits) in rows {
                    tr class=(if hits == 0 { "lacking" } else { "" }) {
                        td { (if name.is_empty() { "at all" } else { *name }) }
                        td class="number" { (hits) }
                        td { (plot::bar(if most > 0.0 { log(hits) / most } else { 0.0 })) }
                    }
                }
            }
        }
    }
}

fn table(campaigns: &[Campaign]) -> Markup {
    html! {
        section id="campaigns" {
            h2 { "Campaigns" }
            div class="wide" {
                table {
                    thead { tr {
                        @for name in ["ended", "isa", "seed", "lanes", "verdict", "operations", "cycles", "compared", "seconds", "operations/s", "rtl"] {
                            th scope="col" { (name) }
                        }
                    } }
                    tbody {
                        @for campaign in campaigns {
                            tr class=(if campaign.verdict == AGREES { "" } else { "lacking" }) {
                                td { (campaign.ended) } td { (campaign.isa) } td { code { (campaign.seed) } }
                                td class="number" { (campaign.lanes) } td { (campaign.verdict) }
                                @for number in [campaign.operations, campaign.cycles, campaign.comparisons] {
                                    td class="number" { (number) }
                                }
                                td class="number" { (format!("{:.1}", campaign.seconds)) }
                                td class="number" { (format!("{:.0}", campaign.operations as f64 / campaign.seconds.max(1e-9))) }
                                td { (campaign.rtl) }
                            }
                        }
                    }
                }
            }
            @for campaign in campaigns.iter().filter(|campaign| !campaign.not_judged.is_empty()) {
                p { "Not judged in " (campaign.isa) " " code { (campaign.seed) } ": " (campaign.not_judged.join("; ")) }
            }
        }
    }
}
