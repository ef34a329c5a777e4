// SPDX-License-Identifier: MIT OR Apache-2.0
//! `gpu-lsu judge`: was the unit right, whoever played it? Reads what crossed its ports; no RTL.

use std::{io::Write, process::ExitCode};

use serde::Serialize;

use super::{
    Error, Stdout, contract, json_line,
    recorded::{self, Recorded},
    report::{self, count},
    tell,
};
use crate::{
    explain::words::wrap,
    judge::{Figures, Judge, Unjudged, log::lines::Record},
    op::Shape,
    rtl::Sources,
    sets::text::printable,
};

const EXAMPLES: &str = "\
FILE is a log in JSON Lines, which `verify --log` and `run --log` write and any bench can print (docs/log.md \
describes every line), or a wave of the unit's ports, VCD or FST. What it does not show is not judged, and the report \
lists it.

Examples:
  gpu-lsu run examples/spa5_saxpy.lsu --log run.jsonl && gpu-lsu judge run.jsonl
  my-bench | gpu-lsu judge -
  gpu-lsu judge sim.vcd --scope tb.dut
  gpu-lsu judge board.vcd --pending 8 \\
    --map op_valid_i=probe_3 --map clk_i=sys_clk
  gpu-lsu judge ila.vcd --sampled --ctrl kernel.lsu \\
    --map op_helper_i=0 --map rst_ni=1

Exit codes: 0 what was seen agrees with the model, 1 it does not, nothing was seen, or the log is refused, 2 a usage \
error, or a file that cannot be read or written";

/// Judge a log or wave of a unit's ports, whoever wrote it
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    recorded: recorded::Args,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    agrees: bool,
    verdict: &'static str,
    runs: u64,
    rtl: Option<&'a Sources>,
    unit: Option<Shape>,
    operations: u64,
    cycles: u64,
    requests: u64,
    comparisons: u64,
    histories: u64,
    histories_unsettled: u64,
    unjudged: Unjudged,
    not_judged: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    run: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatch: Option<report::Json<'a>>,
}

/// What was judged so far.
#[derive(Default)]
struct Total {
    runs: u64,
    /// Of the last run.
    rtl: Option<Sources>,
    unit: Option<Shape>,
    figures: Figures,
    /// Runs whose memory the log does not tell.
    untimed: u64,
    /// Parameters that a wave does not show and nobody told.
    assumed: Vec<String>,
    without_start: u64,
    without_data: u64,
    without_beats: u64,
    without_offers: u64,
    without_ports: u64,
    /// What the last unit does not promise.
    not_promised: Vec<String>,
}

pub fn run(args: &Args) -> Result<ExitCode, Error> {
    let Recorded { asked, assumed, given, records } = match args.recorded.open(recorded::RUN)? {
        Ok(recorded) => recorded,
        Err(code) => return Ok(code),
    };
    let mut total = Total { assumed, ..Total::default() };
    let (mut failure, mut silent) = (None, None);
    for record in records {
        let record = match record {
            Ok(record) => record,
            Err(error) => return args.recorded.refused(error),
        };
        total.runs += 1;
        (total.rtl, total.unit) = (record.header.rtl.clone(), Some(record.header.unit));
        // Each run is one of a unit that nobody has seen before: nothing is known of its scratchpad.
        contract::check(asked.unit, record.header.unit)?;
        let promises = asked.over(record.header.contract);
        total.not_promised = promises.unjudged();
        match record.judge(&mut Judge::new(&record.header.unit), promises) {
            Ok(figures) => {
                if figures.comparisons == 0 && silent.is_none() {
                    silent = Some((total.runs, record.line));
                }
                total.add(&record, figures);
            }
            Err(mismatch) => {
                failure = Some((record, mismatch));
                break;
            }
        }
    }

    let place = |record: &Record| match (total.runs, printable(&record.header.about)) {
        (1, about) if about.is_empty() => String::new(),
        (1, about) => format!(", {about}"),
        (run, about) => format!(", run {run} (line {}) {about}", record.line).trim_end().to_owned(),
    };
    if let Some((record, mismatch)) = &failure {
        tell(&report::line("unit", mismatch, &place(record)));
    }
    let mut output = Stdout::new();
    let gaps = total.gaps();
    let verdict = match &failure {
        Some(_) => "mismatch",
        None if total.runs == 0 || silent.is_some() => "nothing compared",
        None => "agrees",
    };
    if args.json {
        let Figures { operations, cycles, requests, comparisons, histories, histories_unsettled, unjudged } =
            total.figures;
        let mismatch = failure.as_ref().map(|(record, mismatch)| report::json(record.log.issues(), mismatch));
        let run = failure.as_ref().map(|_| total.runs);
        let (agrees, runs) = (verdict == "agrees", total.runs);
        let json = Json {
            agrees,
            verdict,
            runs,
            rtl: total.rtl.as_ref(),
            unit: total.unit,
            operations,
            cycles,
            requests,
            comparisons,
            histories,
            histories_unsettled,
            unjudged,
            not_judged: &gaps,
            run,
            mismatch,
        };
        json_line(&mut output, &json)?;
    } else if let Some((record, mismatch)) = &failure {
        let run = (total.runs > 1).then(|| ("run", format!("{}, from line {}", total.runs, record.line)));
        let assumed = total.assumptions().map(|text| ("assumed", text));
        let left_out = record.left_out.join(", ");
        let left_out =
            (!left_out.is_empty()).then(|| ("left out", format!("{left_out}: in no event, and counted as 0")));
        let given =
            (!given.is_empty()).then(|| ("given", format!("{}, which the wave does not show", given.join(", "))));
        let more: Vec<_> =
            run.into_iter().chain(left_out).chain(given).chain(assumed).chain([("unit", total.name())]).collect();
        write!(output, "{}", report::paragraph("unit", record.log.issues(), mismatch, &more))?;
    } else {
        total.text(verdict == "agrees", &gaps, &mut output)?;
    }
    if verdict == "nothing compared" {
        let run = silent.filter(|_| total.runs > 1);
        let run = run.map_or("the log".to_owned(), |(run, line)| format!("run {run} (from line {line})"));
        tell(&format!("error: nothing was compared: {run} shows no operation to its end\n"));
    }
    output.finish(u8::from(verdict != "agrees"))
}

/// What was not judged of one run, in sentences.
pub(super) fn gaps(record: &Record, figures: Figures, assumed: Vec<String>, not_promised: Vec<String>) -> Vec<String> {
    let mut total = Total { assumed, not_promised, ..Total::default() };
    total.add(record, figures);
    total.gaps()
}

impl Total {
    fn add(&mut self, record: &Record, figures: Figures) {
        self.figures += figures;
        let unseen = record.header.unseen();
        self.untimed += u64::from(!record.tells_histories());
        self.without_start += u64::from(unseen.start);
        self.without_data += u64::from(unseen.data);
        self.without_beats += u64::from(unseen.write_back);
        self.without_offers += u64::from(unseen.offers);
        self.without_ports += u64::from(unseen.data || unseen.write_back);
    }

    /// What was not judged, in sentences.
    fn gaps(&self) -> Vec<String> {
        let mut gaps = Vec::new();
        let mut gap = |number: u64, text: String| {
            if number > 0 {
                gaps.push(text);
            }
        };
        let Unjudged { strangers, dataless, free, uninitialized, unfinished, lost, .. } = self.figures.unjudged;
        let what = if strangers > 0 { format!(" ({})", count(strangers, "event")) } else { String::new() };
        gap(self.without_start + strangers, format!("what was in flight before the log{what}, and what waited for it"));
        let missing = match self.without_data {
            0 => "the log does not tell which data are theirs (`--idle` for a wave that begins with nothing in flight)",
            _ => "the data are not in the log",
        };
        gap(dataless, format!("what {} stored: {missing}", count(dataless, "operation")));
        let stores = count(free, "compare-and-store");
        gap(free, format!("what {stores} did: {missing}, or the resource became undefined"));
        let values = count(uninitialized, "value");
        gap(uninitialized, format!("{values} from bytes of the scratchpad that no store is known to have reached"));
        let operations = count(unfinished, "operation");
        gap(unfinished, format!("{operations} that {} not over at the end of the log", verb(unfinished)));
        gap(lost, format!("{} that a reset cut off", count(lost, "operation")));
        gap(self.without_beats, "whether every register came back, and when (PORT-WB, PORT-DONE)".to_owned());
        let unsettled = self.figures.histories_unsettled;
        let histories = if unsettled == 1 { "history" } else { "histories" };
        gap(
            unsettled,
            format!(
                "{unsettled} {histories} of compare-and-stores, too long to be explained, or without `applied` \
                 events (SM5-CAS)"
            ),
        );
        gap(
            self.without_offers,
            "lateness (PORT-DONE, PORT-FAIR, PORT-PROGRESS) and PORT-HOLD: the log does not say what waited to be taken"
                .to_owned(),
        );
        let wants = match (self.without_ports, self.without_start) {
            (0, _) => "a reset first: it is judged from there on",
            (_, 0) => "all ports",
            _ => "all ports, and a reset first",
        };
        gap(
            self.without_start + self.without_ports,
            format!("who waits how long for whom (PORT-FAIR, PORT-PROGRESS), which wants {wants}"),
        );
        gap(
            self.untimed,
            "histories of compare-and-stores (SM5-CAS): the log has no `memory`, or no `applied` events".to_owned(),
        );
        gaps.extend(self.assumptions().map(|text| format!("the parameters {text}")));
        gaps.extend(self.figures.unjudged.torn());
        gaps.extend(self.not_promised.iter().cloned());
        let mut gap = |text: String| gaps.push(text);
        if self.without_offers == 0 {
            let which = match self.without_start + self.without_ports {
                0 => "of a release without requests, or of a store for which others in the scratchpad are not done",
                _ => "that waits for no answer and no beat",
            };
            gap(format!("how late a completion comes {which} (PORT-DONE)"));
        }
        gap("rates (PORT-RATE, PORT-BANK), for which there are directed streams: `gpu-lsu verify`".to_owned());
        gaps
    }

    /// The parameters of the unit that nobody told, if there are any.
    fn assumptions(&self) -> Option<String> {
        let them = if self.assumed.len() == 1 { "it" } else { "them" };
        let list = self.assumed.join(", ");
        let text =
            || format!("{list}, which the wave does not show: `--warps`, `--pending`, `--shared-bytes` set {them}");
        (!self.assumed.is_empty()).then(text)
    }

    /// The unit, as the log names it.
    fn name(&self) -> String {
        let rtl = self.rtl.as_ref().map_or("rtl not named".to_owned(), |rtl| format!("rtl {rtl}"));
        format!("{rtl}, {}", self.unit.unwrap_or_default())
    }

    fn text(&self, agrees: bool, gaps: &[String], output: &mut impl Write) -> Result<(), Error> {
        let figures = &self.figures;
        if agrees {
            let of = if self.runs > 1 { format!(" in {}", count(self.runs, "run")) } else { String::new() };
            let (operations, requests) = (count(figures.operations, "operation"), count(figures.requests, "request"));
            let (cycles, values) = (count(figures.cycles, "cycle"), count(figures.comparisons, "value"));
            let text = format!("unit and model agree{of}: {operations}, {requests}, {cycles}, {values} compared");
            write!(output, "{}", wrap(&text, 2))?;
            write!(output, "{}", wrap(&self.name(), 2))?;
        }
        writeln!(output, "\nNot judged:")?;
        for gap in gaps {
            write!(output, "{}", wrap(&format!("- {gap}"), 2))?;
        }
        Ok(())
    }
}

fn verb(number: u64) -> &'static str {
    if number == 1 { "was" } else { "were" }
}
