// SPDX-License-Identifier: MIT OR Apache-2.0
//! `layout`: every port of the unit, and enough to pack an operation without Rust.

use gpu_lsu::{
    dut::{self, Dut},
    op::{Bits, Ctrl, Op, Packed},
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::Value;

use crate::Place;

fn json(arguments: &[&str]) -> Value {
    let ran = Place::new().ran(&[&["layout", "--json"], arguments].concat());
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    serde_json::from_str(&ran.out).unwrap()
}

fn port<'a>(layout: &'a Value, name: &str) -> &'a Value {
    let ports = layout["ports"].as_array().unwrap();
    ports.iter().find(|port| port["name"] == name).unwrap_or_else(|| panic!("no port `{name}`"))
}

/// What somebody does who has nothing but the JSON: each field's bits at its offset.
fn packed(port: &Value, value: &Value) -> Vec<u32> {
    let width = port["width"].as_u64().unwrap();
    let mut words = vec![0; width.div_ceil(32) as usize];
    for field in port["fields"].as_array().unwrap() {
        let path = field["path"].as_str().unwrap().replace(['.', '['], "/").replace(']', "");
        let number = match value.pointer(&format!("/{path}")).unwrap_or_else(|| panic!("{field}")) {
            Value::Bool(flag) => u64::from(*flag),
            Value::String(hex) => u64::from_str_radix(hex.strip_prefix("0x").unwrap(), 16).unwrap(),
            number => number.as_u64().unwrap(),
        };
        let [offset, width] = ["offset", "width"].map(|key| field[key].as_u64().unwrap());
        assert!(width == 64 || number >> width == 0, "{field}");
        for bit in 0..width {
            let at = offset + bit;
            words[at as usize / 32] |= ((number >> bit & 1) as u32) << (at % 32);
        }
    }
    words
}

#[test]
fn every_port_of_the_unit_is_there() {
    for shape in dut::built() {
        let unit = Dut::of(&shape).unwrap();
        let layout = json(&["--lanes", &shape.lanes.to_string(), "--line-bytes", &shape.line_bytes.to_string()]);
        assert_eq!((&layout["lanes"], &layout["line_bytes"]), (&shape.lanes.into(), &shape.line_bytes.into()));
        for name in unit.port_names() {
            let port = port(&layout, name);
            assert!(unit.pin(name, port["width"].as_u64().unwrap() as usize).is_ok(), "{port}");
            let direction = if name.ends_with("_o") { "output" } else { "input" };
            assert_eq!(port["direction"], direction, "{name}");
        }
        assert_eq!(layout["ports"].as_array().unwrap().len(), unit.port_names().count());
    }
}

#[test]
fn operations_and_registers_are_packed_by_hand() {
    let layout = json(&[]);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..20 {
        let op = Op::unpack(Bits::from_slice(&random.random::<[u32; Op::WORDS]>()));
        assert_eq!(packed(port(&layout, "op_i"), &serde_json::to_value(op).unwrap()), op.to_words());
        let words: Vec<u32> = (0..Ctrl::WORDS).map(|_| random.random()).collect();
        let ctrl = Ctrl::unpack(Bits::from_slice(&words));
        assert_eq!(packed(port(&layout, "ctrl_i"), &serde_json::to_value(ctrl).unwrap()), ctrl.to_words());
    }
    let fields = port(&layout, "op_i")["fields"].as_array().unwrap();
    assert_eq!(
        fields[0].to_string(),
        r#"{"offset":246,"path":"stage","values":{"Export":3,"Geometry":2,"Pixel":0,"Vertex":1},"width":2}"#
    );
    assert_eq!(
        fields[1].to_string(),
        r#"{"offset":244,"path":"kind","values":{"CmpStore":2,"Load":0,"Store":1},"width":2}"#
    );
}

#[test]
fn ports_follow_the_shape() {
    let layout = json(&["--lanes", "8", "--line-bytes", "32"]);
    let widths = ["op_active_i", "op_addr_i", "wb_data_o", "done_fault_o", "mem_req_be_o", "mem_rsp_data_i", "op_i"]
        .map(|name| port(&layout, name)["width"].as_u64().unwrap());
    assert_eq!(widths, [8, 768, 256, 24, 32, 256, 248]);
    let last = |name: &str| port(&layout, name)["fields"].as_array().unwrap().last().unwrap().to_string();
    assert_eq!(last("op_addr_i"), r#"{"offset":736,"path":"[7][2]","width":32}"#);
    assert_eq!(last("mem_rsp_data_i"), r#"{"offset":248,"path":"[31]","width":8}"#);
    assert_eq!(last("mem_req_be_o"), r#"{"offset":0,"path":"","width":32}"#);
}

#[test]
fn the_table_names_each_struct_once() {
    let ran = Place::new().ran(&["layout", "--lanes", "4"]);
    assert_eq!((ran.err.as_str(), ran.code), ("", 0));
    assert!(ran.out.starts_with("The ports with 4 lanes and lines of 128 bytes:\n\n  port "), "{}", ran.out);
    for line in [
        "  op_addr_i                   input      384   each lane: 3 of 32 bits\n",
        "  ctrl_i                      input      4690  ctrl_t\n",
        "  245:244  2      kind              0=Load 1=Store 2=CmpStore\n",
        "  3439:2608  832    buffer            8 of buffer_t\n",
        "\nop_t, 248 bits:\n",
        "  247:246  2      stage             0=Pixel 1=Vertex 2=Geometry 3=Export\n",
        "  4689:4378  312    stage_scratch     3 of buffer_t\n",
    ] {
        assert!(ran.out.contains(line), "{line:?} in {}", ran.out);
    }
    let titles: Vec<_> = ran.out.lines().filter_map(|line| line.split_once("_t, ").map(|(name, _)| name)).collect();
    assert_eq!(titles, ["ctrl", "op", "attr", "buffer", "range", "private", "uav", "tgsm"]);
}

#[test]
fn a_shape_that_no_unit_has_is_refused() {
    for arguments in [["--lanes", "5"], ["--line-bytes", "16"]] {
        let ran = Place::new().ran(&["layout", arguments[0], arguments[1]]);
        assert_eq!((ran.out.as_str(), ran.code), ("", 2));
        assert!(ran.err.contains(&format!("invalid value '{}'", arguments[1])), "{}", ran.err);
    }
}
