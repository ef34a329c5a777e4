// SPDX-License-Identifier: MIT OR Apache-2.0
//! Waves of logic analysers.

use super::*;

/// A wave in the form of a logic analyser: all ports in one scope, and no clock.
fn analysed(but: &'static [&'static str]) -> Vcd {
    let called = |name: &str| match name {
        name if name == "clk_i" || but.contains(&name) => String::new(),
        name => format!("u_top/u_lsu/{name}"),
    };
    Vcd::of("$scope module board $end", "$upscope $end", &called)
}

#[test]
fn a_sample_is_a_cycle_where_there_is_no_clock() {
    let mut vcd = analysed(&[]);
    vcd.sample().set("rst_ni", "1").set("done_valid_o", "1").set("done_ready_i", "1").set("done_tag_o", "111");
    // A transfer that is the same in two samples occurs twice, although the wave has no change for the second.
    vcd.sample().sample().set("done_tag_o", "1").sample().set("done_valid_o", "0");
    vcd.text = vcd.text.replace("#20\n", "");
    let error = vcd.read(&Names::default()).unwrap_err();
    assert!(matches!(&error, WaveError::NoClock { scope, .. } if scope == "board.u_top.u_lsu"), "{error}");
    let expected =
        [(0, Event::Reset), (0, Event::Control(0)), (1, Event::Done(0)), (2, Event::Done(1)), (3, Event::Done(2))];
    let steps = |steps| Cycles::Steps(NonZero::new(steps).unwrap());
    for cycles in [Cycles::Samples, steps(10)] {
        let events = vcd.events_of(&in_cycles(cycles));
        assert_eq!((&events[..5], events[5]), (&expected[..], (4, Event::End(false))));
    }
    let found = |cycles| vcd.read(&in_cycles(cycles)).unwrap().steps.map(NonZero::get);
    assert_eq!([Cycles::Samples, steps(5)].map(found), [Some(10), Some(5)]);
    let dones = |cycles| {
        let events = vcd.events_of(&in_cycles(cycles));
        events.iter().filter(|(_, event)| matches!(event, Event::Done(_))).count()
    };
    assert_eq!([5, 10, 20].map(|of| dones(steps(of))), [6, 3, 2]);
    let uneven = |of| vcd.read(&in_cycles(steps(of))).unwrap().uneven;
    assert_eq!([3, 5, 10, 20].map(uneven), [true, false, false, true]);

    // A simulator's wave has a clock.
    assert!(matches!(Vcd::new().started().read(&in_cycles(Cycles::Samples)), Err(WaveError::Clock { .. })));
    writeln!(vcd.text, "#{}", u64::MAX).unwrap();
    assert!(matches!(vcd.read(&in_cycles(Cycles::Samples)), Err(WaveError::NotSampled { .. })));
    assert!(matches!(vcd.read(&in_cycles(steps(1))), Err(WaveError::NotSampled { .. })));
    vcd.read(&in_cycles(steps(1 << 60))).unwrap();
}

#[test]
fn what_the_design_ties_is_said() {
    let mut vcd = analysed(&["rst_ni", "ctrl_i", "done_ready_i", "op_helper_i", "op_predicate_i"]);
    vcd.set("op_valid_i", "1").set("op_ready_o", "1").set("done_valid_o", "1").set("done_tag_o", "101").sample();
    vcd.set("op_valid_i", "0").set("done_valid_o", "0").sample();
    let tied = |ties: &[(&str, &str)]| {
        let map = ties.iter().map(|(port, value)| ((*port).to_owned(), (*value).to_owned())).collect();
        vcd.read(&Names { map, ..in_cycles(Cycles::Samples) })
    };
    let ties = [("rst_ni", "1"), ("done_ready_i", "0b1"), ("op_helper_i", "0"), ("op_predicate_i", "0xb")];
    let wave = tied(&ties).unwrap();
    assert_eq!(wave.missing, ["clk_i", "ctrl_i"]);
    assert_eq!((wave.log.unseen().start, wave.log.completed(0).tag), (true, 5));
    let predicate = wave.log.issues()[0].lanes.predicate;
    assert_eq!(predicate, [0, 1, 3].into_iter().collect::<LaneMask>());
    let error = tied(&ties[1..]).unwrap_err();
    assert!(matches!(&error, WaveError::Missing { ports, .. } if ports == "rst_ni"), "{error}");
    let error = tied(&[&ties[..2], &[("op_helper_i", "16"), ("op_predicate_i", "0")]].concat()).unwrap_err();
    assert_eq!(error.to_string(), "`op_helper_i` of --map op_helper_i=16 has 4 bits");
    let long = format!("0x{}", "2".repeat(40));
    for (value, why) in [(&*long, "does not fit in 64 bits"), ("01", "a decimal number has no leading zeros, ")] {
        let error = tied(&[&ties[1..], &[("rst_ni", value)]].concat()).unwrap_err().to_string();
        assert!(error.contains("cannot be tied to it: ") && error.contains(why) && error.len() < 200, "{error}");
    }
    // The wave counts where it has the port, and an output is never tied.
    for (port, why) in
        [("op_valid_i", "is in the wave"), ("done_valid_o", "is an output"), ("op_active_i", "is in the wave")]
    {
        let error = tied(&[&ties[..], &[(port, "0")]].concat()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("`{port}` of --map {port}=0 {why}")), "{error}");
    }
    // Only this port shows how many lanes there are.
    let vcd = analysed(&["op_active_i"]);
    let map = vec![("op_active_i".to_owned(), "1".to_owned())];
    let error = vcd.read(&Names { map, ..in_cycles(Cycles::Samples) }).unwrap_err();
    assert!(error.to_string().starts_with("`op_active_i` of --map op_active_i=1 is wanted as a signal"), "{error}");
}

#[test]
fn a_port_may_be_in_slices() {
    let number = PORTS.iter().position(|(port, _)| port.name == "op_active_i").unwrap();
    let whole = format!("$var wire 4 p{number} u_top/u_lsu/op_active_i [3:0] $end");
    let of = |ranges: &[&str]| {
        let mut vcd = analysed(&[]);
        assert!(vcd.text.contains(&whole));
        let slices: String = ranges
            .iter()
            .enumerate()
            .map(|(at, range)| {
                let width = if range.contains(':') { 2 } else { 1 };
                format!("$var wire {width} s{at} u_top/u_lsu/op_active_i {range} $end\n")
            })
            .collect();
        vcd.text = vcd.text.replace(&whole, &slices).replace(&format!("b0 p{number}\n"), "");
        vcd.sample().set("rst_ni", "1").set("op_valid_i", "1").set("op_ready_o", "1");
        let values = ["b1 s0\n", "b1 s1\n", "b0 s2\n", "b1 s3\n"];
        values[..ranges.len()].iter().for_each(|value| vcd.text += value);
        vcd.sample();
        let wave = vcd.read(&in_cycles(Cycles::Samples))?;
        Ok::<_, WaveError>(wave.log.issues()[0].lanes.active)
    };
    let lanes = |lanes: &[usize]| lanes.iter().copied().collect::<LaneMask>();
    assert_eq!(of(&["[0]", "[1]", "[2]", "[3]"]).unwrap(), lanes(&[0, 1, 3]));
    assert_eq!(of(&["[3]", "[2]", "[1]", "[0]"]).unwrap(), lanes(&[0, 2, 3]));
    assert_eq!(of(&["[3]", "[2]", "[1:0]"]).unwrap(), lanes(&[2, 3]));
    let error = of(&["[3]", "[1:0]"]).unwrap_err();
    assert!(matches!(&error, WaveError::Width { port, found: 1, .. } if port == "op_active_i"), "{error}");
}

#[test]
fn what_litescope_writes_is_read() {
    let mut vcd = analysed(&[]);
    vcd.sample().set("rst_ni", "1").set("done_valid_o", "1").set("done_ready_i", "1").sample();
    let events = vcd.events_of(&in_cycles(Cycles::Samples));
    assert_eq!(events[2], (1, Event::Done(0)));
    let own = "$timescale 1ns $end\n$scope dumped_signals $end\n";
    vcd.text = vcd.text.replace("$timescale 1ns $end $scope module board $end\n", own);
    vcd.text = vcd.text.replace("$upscope $end $enddefinitions $end\n", "$unscope  $end\n$enddefinitions  $end\n");
    assert!(vcd.text.starts_with(own) && vcd.text.contains("\n$unscope"));
    assert_eq!(vcd.events_of(&in_cycles(Cycles::Samples)), events);
}
