// SPDX-License-Identifier: MIT OR Apache-2.0
//! Coverage as UCIS XML (Accellera, Unified Coverage Interoperability Standard 1.0, chapter 9): a covergroup for each
//! clause of each instruction set, with its bins in one coverpoint and their hits as counts.

use super::{
    results::Results,
    xml::{Attributes, Xml},
};
use crate::judge::coverage::Row;

/// The standard requires times, but a result has none: the same campaign yields the same bytes.
const NO_TIME: &str = "1970-01-01T00:00:00";
/// The source location of everything, as bins have none: the first line of the top module.
const PLACE: Attributes<'static> = &[("file", "1"), ("line", "1"), ("inlineCount", "1")];

/// Returns the coverage of a result as UCIS XML.
pub fn text(results: &Results) -> String {
    let campaign = &results.campaign;
    let tool = format!("gpu-lsu {}", campaign.version);
    let written = [("ucisVersion", "1.0"), ("writtenBy", &tool), ("writtenTime", NO_TIME)];
    let mut xml = Xml::new();
    xml.element("UCIS", &written, |xml| {
        xml.empty("sourceFiles", &[("fileName", "lsu.sv"), ("id", "1")]);
        let seeds: Vec<String> = campaign.seeds.iter().map(|seed| format!("{:#x}", seed.0)).collect();
        let comment = format!("rtl {}, {}", campaign.rtl, campaign.unit_name());
        let [status, seed] = [results.groups.is_empty().to_string(), seeds.join(" ")];
        xml.empty(
            "historyNodes",
            &[
                ("historyNodeId", "0"),
                ("logicalName", "gpu-lsu verify"),
                ("kind", "1"),
                ("testStatus", &status),
                ("seed", &seed),
                ("date", NO_TIME),
                ("toolCategory", "UCIS:Simulator"),
                ("ucisVersion", "1.0"),
                ("vendorId", "gpu-lsu"),
                ("vendorTool", "gpu-lsu"),
                ("vendorToolVersion", &campaign.version),
                ("comment", &comment),
            ],
        );
        xml.element("instanceCoverages", &[("name", "lsu"), ("key", "0"), ("moduleName", "lsu")], |xml| {
            xml.empty("id", PLACE);
            for row in &results.rows() {
                covergroup(xml, row);
            }
        });
    });
    xml.finish()
}

fn covergroup(xml: &mut Xml, row: &Row) {
    let name = format!("{}.{}", row.rule, row.clause);
    xml.element("covergroupCoverage", &[], |xml| {
        xml.element("cgInstance", &[("name", &name), ("key", "0")], |xml| {
            xml.empty("options", &[]);
            xml.element("cgId", &[("cgName", &name), ("moduleName", "lsu")], |xml| {
                xml.empty("cginstSourceId", PLACE);
                xml.empty("cgSourceId", PLACE);
            });
            // The schema does not allow a coverpoint without bins.
            if row.each.is_empty() {
                return;
            }
            xml.element("coverpoint", &[("name", &row.clause), ("key", "0")], |xml| {
                xml.empty("options", &[]);
                for (number, (bin, hits)) in row.each.iter().enumerate() {
                    let [number, hits] = [number.to_string(), hits.to_string()];
                    xml.element("coverpointBin", &[("name", bin), ("type", "bins"), ("key", &number)], |xml| {
                        xml.element("range", &[("from", &number), ("to", &number)], |xml| {
                            xml.empty("contents", &[("coverageCount", &hits)]);
                        });
                    });
                }
            });
        });
    });
}
