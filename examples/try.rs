use gpu_lsu::cosim::campaign::*;
use std::time::*;
fn main() {
    let ops: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let seed: u64 = std::env::args().nth(2).unwrap().parse().unwrap();
    let lanes: usize = std::env::args().nth(3).map_or(32, |s| s.parse().unwrap());
    let t = Instant::now();
    let c = Campaign { seed, lanes, budget: Budget::Operations(ops), jobs: 1.try_into().unwrap() };
    let out = c.run(&|_| {}, &Default::default()).unwrap();
    println!(
        "{:?} {:?} {:.0} op/s {:.0} cyc/s",
        t.elapsed(),
        out.figures,
        out.figures.operations as f64 / t.elapsed().as_secs_f64(),
        out.figures.cycles as f64 / t.elapsed().as_secs_f64()
    );
    if let Some(f) = out.failure {
        println!("block {}: {}", f.block, f.mismatch);
        if let Some(op) = f.mismatch.op {
            println!("{:?}", f.case.issues.get(op).map(|i| (i.op, i.word)));
            println!("{:?}", f.case.ctrl);
        }
    }
    for r in out.coverage.rows() {
        println!("{:15} {}/{} {} {:?}", r.clause, r.hit, r.bins, r.hits, r.empty);
    }
}
