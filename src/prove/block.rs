// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a block is: a wrapper around functions of the RTL, the same from the model, and the inputs for which the two
//! must agree.

use super::{
    term::{Definitions, Term, sort},
    unroll,
};
use crate::{
    clause::Clause,
    model::word::{Truth, Word},
};

/// A port of a wrapper: its name without `_i` or `_o`, and its bits (1 to 64).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    pub name: &'static str,
    pub width: u32,
}

/// The values at some ports, by name.
pub(crate) trait Ports<W>: Sized {
    const PORTS: &'static [Port];

    /// Asks for the value of each port, in the order of [`Ports::PORTS`].
    fn make(value: &mut dyn FnMut(Port) -> W) -> Self;

    /// The values, in the order of [`Ports::PORTS`].
    fn values(&self) -> Vec<&W>;
}

/// Declares a set of ports: `ports! { Inputs { mode: 3, imm: 64 } }`.
macro_rules! ports {
    ($name:ident { $($port:ident: $width:expr),* $(,)? }) => {
        pub struct $name<W> { $(pub $port: W),* }

        impl<W> $crate::prove::block::Ports<W> for $name<W> {
            const PORTS: &'static [$crate::prove::block::Port] =
                &[$($crate::prove::block::Port { name: stringify!($port), width: $width }),*];

            fn make(value: &mut dyn FnMut($crate::prove::block::Port) -> W) -> Self {
                $name { $($port: value($crate::prove::block::Port { name: stringify!($port), width: $width })),* }
            }

            fn values(&self) -> Vec<&W> {
                vec![$(&self.$port),*]
            }
        }
    };
}
pub(crate) use ports;

/// A truth as a one-bit word.
pub(crate) fn bit<W: Word>(truth: &W::Truth) -> W {
    W::choose(truth, &W::literal(1, 1), &W::literal(1, 0), 1)
}

/// A block, written once for both readings of the model's arithmetic.
pub(crate) trait Block {
    const NAME: &'static str;
    /// The rules that the model's functions state.
    const CLAUSES: &'static [Clause];
    /// The wrapper's module and its text.
    const TOP: &'static str;
    const WRAPPER: &'static str;
    /// Inputs that the wrapper does not have; they only tie the others to an instruction, in `shows`.
    const FREE: &'static [&'static str] = &[];

    type Inputs<W: Word>: Ports<W>;
    type Outputs<W: Word>: Ports<W>;

    /// What the unit is promised about the inputs.
    fn assume<W: Word>(inputs: &Self::Inputs<W>) -> W::Truth;

    fn model<W: Word>(inputs: &Self::Inputs<W>) -> Self::Outputs<W>;

    /// Like `model`, but each output may be computed from the outputs before it, which are given.
    ///
    /// The given values are the RTL's, which are equal to the model's there. A sum of the RTL on both sides is a
    /// smaller question than two sums that are equal for a reason.
    fn steps<W: Word>(inputs: &Self::Inputs<W>, _given: &Self::Outputs<W>) -> Self::Outputs<W> {
        Self::model(inputs)
    }

    /// Whether an instruction causes these inputs, and its effects at the ports tell the two answers apart.
    fn shows<W: Word>(inputs: &Self::Inputs<W>, model: &Self::Outputs<W>, rtl: &Self::Outputs<W>) -> W::Truth;

    /// The instruction, as a program.
    fn program(inputs: &Self::Inputs<u64>, model: &Self::Outputs<u64>, rtl: &Self::Outputs<u64>) -> String;
}

/// A question about a block.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Question {
    /// Can the output of this number differ while those before it do not? If the answer is no for each, no output can
    /// differ. Where outputs are steps of one computation, these are smaller questions than the whole.
    Output(usize),
    /// Can a program show that any output differs, given that this one can and those before it never do?
    Shown(usize),
}

/// A block with its types erased, as the rest of the prover handles it.
pub(crate) trait Obligation: Sync {
    fn name(&self) -> &'static str;
    fn clauses(&self) -> &'static [Clause];
    fn top(&self) -> &'static str;
    fn wrapper(&self) -> &'static str;
    fn inputs(&self) -> &'static [Port];
    fn outputs(&self) -> &'static [Port];

    /// The script to append to that of the wrapper in cycle 0; a difference satisfies it. It asks for values in the
    /// order of `inputs`, then `outputs`.
    fn question(&self, question: Question) -> String;

    /// The script that asks whether the term of each output has, at these inputs, the value that `u64` computes. It
    /// stands alone and is satisfied if one has not.
    fn reading(&self, inputs: &[u64]) -> String;

    fn assumed(&self, inputs: &[u64]) -> bool;
    fn model(&self, inputs: &[u64]) -> Vec<u64>;
    fn program(&self, inputs: &[u64], rtl: &[u64]) -> String;
}

/// Makes an [`Obligation`] of a [`Block`].
pub(crate) struct Of<B>(pub B);

fn numbers<P: Ports<u64>>(values: &[u64]) -> P {
    let mut values = values.iter();
    P::make(&mut |port| u64::literal(port.width, values.next().copied().unwrap_or(0)))
}

fn symbols<P: Ports<Term>>(prefix: &str) -> P {
    P::make(&mut |port| Term::symbol(&format!("{prefix}{}", port.name), port.width))
}

/// The term of a port; Yosys gives a one-bit wire the sort Bool.
fn accessor(top: &str, name: &str, width: u32) -> String {
    let value = unroll::at(&format!("{top}_n {name}"), 0);
    if width == 1 { format!("(ite {value} #b1 #b0)") } else { value }
}

/// For each output of the model, that it equals the number or symbol at the same place in `others`.
fn equal(definitions: &mut Definitions, model: &[&Term], others: &[String]) -> Vec<String> {
    model.iter().zip(others).map(|(term, other)| format!("(= {} {other})", definitions.name(term))).collect()
}

impl<B: Block + Sync> Obligation for Of<B> {
    fn name(&self) -> &'static str {
        B::NAME
    }
    fn clauses(&self) -> &'static [Clause] {
        B::CLAUSES
    }
    fn top(&self) -> &'static str {
        B::TOP
    }
    fn wrapper(&self) -> &'static str {
        B::WRAPPER
    }
    fn inputs(&self) -> &'static [Port] {
        B::Inputs::<u64>::PORTS
    }
    fn outputs(&self) -> &'static [Port] {
        B::Outputs::<u64>::PORTS
    }

    fn question(&self, question: Question) -> String {
        let mut script = String::new();
        for &Port { name, width } in self.inputs() {
            script += &if B::FREE.contains(&name) {
                format!("(declare-fun in_{name} () {})\n", sort(width))
            } else {
                let value = accessor(B::TOP, &format!("{name}_i"), width);
                format!("(define-fun in_{name} () {} {value})\n", sort(width))
            };
        }
        for &Port { name, width } in self.outputs() {
            let value = accessor(B::TOP, &format!("{name}_o"), width);
            script += &format!("(define-fun rtl_{name} () {} {value})\n", sort(width));
        }

        let inputs: B::Inputs<Term> = symbols("in_");
        let rtl: B::Outputs<Term> = symbols("rtl_");
        let (Question::Output(first) | Question::Shown(first)) = question;
        let model = {
            let own = B::model(&inputs);
            let mut given = rtl.values().into_iter().take(first).chain(own.values().into_iter().skip(first)).cloned();
            B::steps(&inputs, &Ports::make(&mut |port| given.next().unwrap_or_else(|| Term::literal(port.width, 0))))
        };
        let assume = B::assume(&inputs);
        let mut definitions = Definitions::default();
        let others: Vec<String> = self.outputs().iter().map(|port| format!("rtl_{}", port.name)).collect();
        let equal = equal(&mut definitions, &model.values(), &others);
        let (before, rest) = equal.split_at(first);
        let (wanted, differs) = match question {
            Question::Output(_) => (assume, &rest[..1]),
            Question::Shown(_) => (assume.and(&B::shows(&inputs, &model, &rtl)), rest),
        };
        let mut conditions = vec![definitions.condition(&wanted), format!("(not (and true {}))", differs.join(" "))];
        conditions.extend_from_slice(before);
        let asked = self.inputs().iter().map(|port| format!("in_{}", port.name)).chain(others);
        let asked = asked.collect::<Vec<_>>().join(" ");
        script += &definitions.text;
        script += &conditions.iter().map(|condition| format!("(assert {condition})\n")).collect::<String>();
        script += &format!("(check-sat)\n(get-value ({asked}))\n");
        script
    }

    fn reading(&self, inputs: &[u64]) -> String {
        let mut values = inputs.iter();
        let terms: B::Inputs<Term> =
            Ports::make(&mut |port| Term::literal(port.width, values.next().copied().unwrap_or(0)));
        let mut definitions = Definitions::default();
        let numbers = self.model(inputs).into_iter().zip(self.outputs());
        let numbers: Vec<String> =
            numbers.map(|(value, port)| Definitions::default().name(&Term::literal(port.width, value))).collect();
        let model = B::model(&terms);
        let equal = equal(&mut definitions, &model.values(), &numbers).join(" ");
        let condition = definitions.condition(&B::assume(&terms));
        let assumed = self.assumed(inputs);
        format!("{}(assert (not (and (= {condition} {assumed}) {equal})))\n(check-sat)\n", definitions.text)
    }

    fn assumed(&self, inputs: &[u64]) -> bool {
        B::assume::<u64>(&numbers(inputs))
    }
    fn model(&self, inputs: &[u64]) -> Vec<u64> {
        B::model::<u64>(&numbers(inputs)).values().into_iter().copied().collect()
    }
    fn program(&self, inputs: &[u64], rtl: &[u64]) -> String {
        let inputs = numbers(inputs);
        B::program(&inputs, &B::model::<u64>(&inputs), &numbers(rtl))
    }
}
