//! The bytes of a method's new code, once all places are known.

use super::error::EditErrorKind;
use super::layout::{Goal, Layout, Node};
use crate::code::{Insn, Operand};
use crate::opcode::*;

impl Layout<'_> {
    /// The instructions.
    pub fn write(&self) -> Result<Vec<u8>, EditErrorKind> {
        let mut out = Vec::with_capacity(self.length() as usize);
        for (i, node) in self.nodes.iter().enumerate() {
            let here = self.places[i];
            debug_assert_eq!(out.len(), here as usize);
            match *node {
                Node::Bytes(bytes) => out.extend_from_slice(bytes),
                Node::Branch { op, to, far } => {
                    let distance = self.goal(to)? as i32 - here as i32;
                    write_branch(&mut out, op, distance, far);
                }
                Node::Switch { number } => self.write_switch(&mut out, number, here)?,
            }
        }
        Ok(out)
    }

    fn write_switch(&self, out: &mut Vec<u8>, number: u32, here: u32) -> Result<(), EditErrorKind> {
        let insn = self.insns[number as usize].1;
        let distance = |target: i32| -> Result<[u8; 4], EditErrorKind> {
            Ok((self.goal(Goal::Old(target))? as i32 - here as i32).to_be_bytes())
        };
        out.push(insn.opcode);
        out.resize((here as usize + 4) & !3, 0);
        match insn.operand {
            Operand::Table(switch) => {
                out.extend(distance(switch.default)?);
                out.extend(switch.low.to_be_bytes());
                out.extend(switch.high.to_be_bytes());
                for target in switch.targets() {
                    out.extend(distance(target)?);
                }
            }
            Operand::Lookup(switch) => {
                out.extend(distance(switch.default)?);
                out.extend((switch.pairs().len() as u32).to_be_bytes());
                for (key, target) in switch.pairs() {
                    out.extend(key.to_be_bytes());
                    out.extend(distance(target)?);
                }
            }
            _ => unreachable!("heddle internal error: only switches become switch nodes"),
        }
        Ok(())
    }
}

/// The length of a node at a place: that of switches depends on it.
pub(super) fn size(node: &Node<'_>, at: usize, insns: &[(u32, Insn<'_>)]) -> usize {
    match *node {
        Node::Bytes(bytes) => bytes.len(),
        Node::Branch { op, far, .. } => match op {
            GOTO_W | JSR_W => 5,
            _ if !far => 3,
            GOTO | JSR => 5,
            _ => 8,
        },
        Node::Switch { number } => {
            let padding = 3 - at % 4;
            let operands = match insns[number as usize].1.operand {
                Operand::Table(switch) => 12 + 4 * switch.targets().len(),
                Operand::Lookup(switch) => 8 + 8 * switch.pairs().len(),
                _ => 0,
            };
            1 + padding + operands
        }
    }
}

fn write_branch(out: &mut Vec<u8>, op: u8, distance: i32, far: bool) {
    match op {
        _ if !far && op != GOTO_W && op != JSR_W => {
            out.push(op);
            out.extend((distance as i16).to_be_bytes());
        }
        GOTO | GOTO_W | JSR | JSR_W => {
            out.push(if matches!(op, GOTO | GOTO_W) {
                GOTO_W
            } else {
                JSR_W
            });
            out.extend(distance.to_be_bytes());
        }
        _ => {
            out.extend([inverted(op), 0, 8, GOTO_W]);
            out.extend((distance - 3).to_be_bytes());
        }
    }
}

/// The branch that is taken when this one is not.
fn inverted(op: u8) -> u8 {
    match op {
        IFNULL => IFNONNULL,
        IFNONNULL => IFNULL,
        // Pairs start at odd numbers.
        _ => ((op + 1) ^ 1) - 1,
    }
}
