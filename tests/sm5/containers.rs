// SPDX-License-Identifier: MIT OR Apache-2.0
//! Containers: whole ones give all that is in them, broken ones an error.

use std::time::Instant;

use gpu_lsu::sets::sm5;

use crate::generate::{Random, broken, edited, read, whole};

/// What every run of the tests reads; `GPU_LSU_CONTAINERS` asks for another number.
const CONTAINERS: u64 = 200_000;

#[test]
fn whole_containers_give_every_atomic_with_its_resource() {
    for seed in 0..2000 {
        let made = whole(&mut Random::new(seed));
        let contained = read(&made.bytes).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        assert_eq!(contained.offset, made.offset, "seed {seed}");
        let found = contained.shader.found.iter().map(|found| {
            let atomic = found.as_ref().unwrap_or_else(|flaw| panic!("seed {seed}: {flaw}"));
            let declaration = atomic.declaration.map(|declaration| declaration.to_string()).unwrap_or_default();
            (atomic.at, sm5::encode(&atomic.inst), declaration)
        });
        assert_eq!(found.collect::<Vec<_>>(), made.atomics, "seed {seed}");
    }
}

#[test]
fn broken_containers_give_errors_and_never_a_panic() {
    let asked = std::env::var("GPU_LSU_CONTAINERS").ok().map(|count| count.replace('_', ""));
    let count = asked.map_or(CONTAINERS, |count| count.parse().unwrap());
    let start = Instant::now();
    let (mut readable, mut flawed) = (0u64, 0u64);
    for seed in 0..count {
        match read(&broken(&mut Random::new(seed))) {
            Ok(contained) if contained.shader.found.iter().all(Result::is_ok) => readable += 1,
            Ok(_) => flawed += 1,
            Err(_) => {}
        }
    }
    println!("{count} containers, {readable} readable, {flawed} with flaws in their tokens, {:?}", start.elapsed());
    // Breaking must not always break the header alone, nor nothing.
    assert!(readable > count / 20 && flawed > count / 20, "{readable} and {flawed} of {count}");
    assert!(readable + flawed < count * 9 / 10, "{readable} and {flawed} of {count}");
}

#[test]
fn what_a_fuzzer_makes_is_read() {
    let mut random = Random::new(1);
    for _ in 0..10_000 {
        let data: Vec<u8> = (0..random.below(64)).map(|_| random.next() as u8).collect();
        let _ = read(&edited(&data)); // an error or not: it asserts what holds
        let _ = read(&data);
    }
}
