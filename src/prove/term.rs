// SPDX-License-Identifier: MIT OR Apache-2.0
//! The model's arithmetic as terms of a solver: SMT-LIB 2, theory of bit vectors.
//!
//! A term is a graph. What two terms share is one node, and [`Definitions`] gives each node a name and one line, so
//! that the text grows with the model rather than with the number of paths through it.

use std::{collections::HashMap, fmt::Write as _, rc::Rc};

use crate::model::word::{Truth, Word};

/// A bit vector: all the values that an expression can take.
#[derive(Clone, Debug)]
pub struct Term(Rc<Node>);

/// A condition on the inputs.
#[derive(Clone, Debug)]
pub struct Formula(Term);

#[derive(Debug)]
struct Node {
    /// An operator of SMT-LIB, or a whole expression if there are no operands.
    operator: String,
    operands: Vec<Term>,
    /// The width in bits; `None` for a condition.
    width: Option<u32>,
}

impl Term {
    fn new(operator: impl Into<String>, operands: &[&Term], width: u32) -> Self {
        let operands = operands.iter().map(|&operand| operand.clone()).collect();
        Term(Rc::new(Node { operator: operator.into(), operands, width: Some(width) }))
    }

    /// The low `width` bits. The low bits of a sum or product depend on no higher ones. Taking them early gives a model
    /// that computes exactly the same multiplier as RTL that computes modulo 2^width, so that a solver need not compare
    /// two.
    fn low(&self, width: u32) -> Self {
        let Node { operator, operands, width: Some(from) } = &*self.0 else { return self.clone() };
        if *from == width {
            return self.clone();
        }
        match (operator.as_str(), &operands[..]) {
            ("bvadd" | "bvsub" | "bvmul", [a, b]) => {
                Term::new(operator.clone(), &[&a.low(width), &b.low(width)], width)
            }
            ("ite", [condition, a, b]) => Term::new("ite", &[condition, &a.low(width), &b.low(width)], width),
            (extension, [a]) if extension.starts_with("(_ zero_extend") => match a.0.width {
                Some(inner) if inner < width => a.zero_extend(inner, width),
                _ => a.low(width),
            },
            _ => Term::new(format!("(_ extract {} 0)", width - 1), &[self], width),
        }
    }

    /// A value that is named `symbol` elsewhere in the script.
    pub fn symbol(symbol: &str, width: u32) -> Self {
        Term::new(symbol, &[], width)
    }
}

impl Formula {
    fn new(operator: &str, operands: &[&Term]) -> Self {
        let operands = operands.iter().map(|&operand| operand.clone()).collect();
        Formula(Term(Rc::new(Node { operator: operator.to_owned(), operands, width: None })))
    }
}

/// The sort of a bit vector.
pub fn sort(width: u32) -> String {
    format!("(_ BitVec {width})")
}

/// Definitions of nodes, operands first.
#[derive(Debug, Default)]
pub struct Definitions {
    /// SMT-LIB, a line for each node.
    pub text: String,
    /// By address. The terms are kept alive, so that no address is used twice.
    names: HashMap<*const Node, (Term, String)>,
}

impl Definitions {
    /// The name of a term, which is defined first if it is new.
    pub fn name(&mut self, term: &Term) -> String {
        if let Some((_, name)) = self.names.get(&Rc::as_ptr(&term.0)) {
            return name.clone();
        }
        let node = &*term.0;
        let operands: Vec<String> = node.operands.iter().map(|operand| self.name(operand)).collect();
        let name = if operands.is_empty() {
            node.operator.clone()
        } else {
            let name = format!("m{}", self.names.len());
            let sort = node.width.map_or("Bool".to_owned(), sort);
            // Writing to a string does not fail.
            let _ = writeln!(self.text, "(define-fun {name} () {sort} ({} {}))", node.operator, operands.join(" "));
            name
        };
        self.names.insert(Rc::as_ptr(&term.0), (term.clone(), name.clone()));
        name
    }

    /// The name of a condition.
    pub fn condition(&mut self, formula: &Formula) -> String {
        self.name(&formula.0)
    }
}

impl Truth for Formula {
    fn constant(value: bool) -> Self {
        Formula::new(if value { "true" } else { "false" }, &[])
    }
    fn and(&self, other: &Self) -> Self {
        Formula::new("and", &[&self.0, &other.0])
    }
    fn or(&self, other: &Self) -> Self {
        Formula::new("or", &[&self.0, &other.0])
    }
    fn not(&self) -> Self {
        Formula::new("not", &[&self.0])
    }
}

impl Word for Term {
    type Truth = Formula;

    fn literal(width: u32, value: u64) -> Self {
        let value = u64::literal(width, value);
        Term::new(format!("#b{value:0digits$b}", digits = width as usize), &[], width)
    }
    fn add(&self, other: &Self, width: u32) -> Self {
        Term::new("bvadd", &[self, other], width)
    }
    fn sub(&self, other: &Self, width: u32) -> Self {
        Term::new("bvsub", &[self, other], width)
    }
    fn mul(&self, other: &Self, width: u32) -> Self {
        Term::new("bvmul", &[self, other], width)
    }
    fn and(&self, other: &Self, width: u32) -> Self {
        Term::new("bvand", &[self, other], width)
    }
    fn or(&self, other: &Self, width: u32) -> Self {
        Term::new("bvor", &[self, other], width)
    }
    fn xor(&self, other: &Self, width: u32) -> Self {
        Term::new("bvxor", &[self, other], width)
    }
    fn shl(&self, by: u32, width: u32) -> Self {
        Term::new("bvshl", &[self, &Term::literal(width, by.into())], width)
    }
    fn shr(&self, by: u32, width: u32) -> Self {
        Term::new("bvlshr", &[self, &Term::literal(width, by.into())], width)
    }
    fn zero_extend(&self, from: u32, to: u32) -> Self {
        Term::new(format!("(_ zero_extend {})", to - from), &[self], to)
    }
    fn sign_extend(&self, from: u32, to: u32) -> Self {
        Term::new(format!("(_ sign_extend {})", to - from), &[self], to)
    }
    fn extract(&self, high: u32, low: u32, _width: u32) -> Self {
        if low == 0 {
            return self.low(high + 1);
        }
        Term::new(format!("(_ extract {high} {low})"), &[self], high - low + 1)
    }
    fn concat(&self, low: &Self, width: u32, low_width: u32) -> Self {
        Term::new("concat", &[self, low], width + low_width)
    }
    fn less(&self, other: &Self, _width: u32) -> Formula {
        Formula::new("bvult", &[self, other])
    }
    fn equal(&self, other: &Self, _width: u32) -> Formula {
        Formula::new("=", &[self, other])
    }
    fn choose(condition: &Formula, then: &Self, otherwise: &Self, width: u32) -> Self {
        Term::new("ite", &[&condition.0, then, otherwise], width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shared_is_written_once() {
        let x = Term::symbol("x", 4);
        let sum = x.add(&Term::literal(4, 3), 4);
        let square = sum.mul(&sum, 4);
        let mut definitions = Definitions::default();
        assert_eq!(definitions.name(&square), "m3");
        assert_eq!(
            definitions.text,
            "(define-fun m2 () (_ BitVec 4) (bvadd x #b0011))\n(define-fun m3 () (_ BitVec 4) (bvmul m2 m2))\n"
        );
        assert_eq!(definitions.condition(&square.less(&sum, 4)), "m4");
    }

    #[test]
    fn low_bits_are_taken_before_a_product() {
        let (x, y) = (Term::symbol("x", 4), Term::symbol("y", 2));
        let low = x.zero_extend(4, 8).mul(&y.zero_extend(2, 8), 8).extract(3, 0, 8);
        let mut definitions = Definitions::default();
        let name = definitions.name(&low);
        assert_eq!((low.0.width, name.as_str()), (Some(4), "m3"));
        assert_eq!(
            definitions.text,
            "(define-fun m2 () (_ BitVec 4) ((_ zero_extend 2) y))\n(define-fun m3 () (_ BitVec 4) (bvmul x m2))\n"
        );
    }
}
