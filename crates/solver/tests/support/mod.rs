//! Random formulas with printed seeds, and an oracle that tries all values. The oracle computes
//! with machine words and shares no code with the solver nor with the evaluator of terms.

#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of this")]

pub mod judged;
pub mod oracle;
pub mod random;
