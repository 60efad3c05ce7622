//! Sequences that were left to a call which is planned, for as long as it is not known what the
//! call does there.
//!
//! The call may do other things than it was seen to do. When it has been run, the sequences that
//! it meets are planned after all, where it was planned; the others begin with it.

use super::print::{Bits, Print};
use super::resume::{Reader, Writer};
use super::sequence::{Last, Sequence, Steps, Touches};

/// A sequence that does not need the path on which it was found.
#[derive(Clone, Debug, Default, Hash)]
pub struct Kept {
    steps: Vec<Step>,
    last: Option<End>,
}

#[derive(Clone, Debug, Hash)]
struct Step {
    thread: u32,
    name: u64,
    words: Vec<u32>,
    bits: Bits,
    targets: Vec<u32>,
    /// The steps of the sequence that have to come before it.
    after: Vec<u32>,
}

#[derive(Clone, Debug, Hash)]
struct End {
    thread: u32,
    stands: u64,
    known: Known,
    words: Vec<u32>,
    bits: Bits,
    after: Vec<u32>,
    rival: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
enum Known {
    These,
    Perhaps,
    Nothing,
}

impl Kept {
    pub fn of(sequence: &Sequence<'_, impl Steps>) -> Kept {
        let (source, all) = (sequence.source, &sequence.steps);
        let number = |at: usize| at as u32;
        let step = |at: usize| {
            let Print { words, bits } = source.print(all[at]);
            let before = |b: &usize| source.before(all[*b], all[at]);
            Step {
                thread: source.thread(all[at]),
                name: source.name(all[at]),
                words: words.to_vec(),
                bits,
                targets: source.targets(all[at]).to_vec(),
                after: (0..at).filter(before).map(number).collect(),
            }
        };
        let last = sequence.last.map(|last| {
            let before = |b: &usize| source.before_last(all[*b]);
            End::new(&last, (0..all.len()).filter(before).map(number).collect())
        });
        Kept {
            steps: (0..all.len()).map(step).collect(),
            last,
        }
    }

    /// Adds a step behind the others; which of these have to come before it.
    pub fn push(&mut self, thread: u32, name: u64, print: &Print<'_>, after: &[bool]) {
        self.steps.push(Step {
            thread,
            name,
            words: print.words.to_vec(),
            bits: print.bits,
            targets: Vec::new(),
            after: numbers(after),
        });
    }

    /// Puts a step at the end; which of the others have to come before it.
    pub fn end_with(&mut self, last: &Last<'_>, after: &[bool]) {
        self.last = Some(End::new(last, numbers(after)));
    }

    /// The numbers of its steps.
    pub fn all(&self) -> Vec<u32> {
        (0..self.steps.len() as u32).collect()
    }

    /// As a sequence of these steps, to be planned at a choice.
    pub fn sequence<'a>(&'a self, steps: &'a mut Vec<u32>, frame: u32) -> Sequence<'a, Kept> {
        Sequence {
            source: self,
            steps,
            last: self.last.as_ref().map(End::last),
            frame,
        }
    }

    pub(super) fn save(&self, out: &mut Writer) {
        out.push(self.steps.len());
        for step in &self.steps {
            out.push(step.thread as usize);
            out.push(step.name as usize);
            let (words, bits) = (&step.words[..], step.bits);
            out.print(&Print { words, bits });
            out.words(&step.targets);
            out.words(&step.after);
        }
        out.push(usize::from(self.last.is_some()));
        if let Some(last) = &self.last {
            out.push(last.thread as usize);
            out.push(last.stands as usize);
            out.push(last.known as usize);
            let (words, bits) = (&last.words[..], last.bits);
            out.print(&Print { words, bits });
            out.words(&last.after);
            out.push(last.rival as usize);
        }
    }

    pub(super) fn restore(from: &mut Reader<'_>) -> Option<Kept> {
        let mut kept = Kept::default();
        for _ in 0..from.number()? {
            let (thread, name) = (from.number()? as u32, from.next()?);
            let (words, bits) = from.print()?;
            kept.steps.push(Step {
                thread,
                name,
                words,
                bits,
                targets: from.words()?,
                after: from.words()?,
            });
        }
        if from.next()? != 0 {
            let (thread, stands) = (from.number()? as u32, from.next()?);
            let known = match from.next()? {
                0 => Known::These,
                1 => Known::Perhaps,
                _ => Known::Nothing,
            };
            let (words, bits) = from.print()?;
            kept.last = Some(End {
                thread,
                stands,
                known,
                words,
                bits,
                after: from.words()?,
                rival: from.number()? as u32,
            });
        }
        Some(kept)
    }
}

fn numbers(of: &[bool]) -> Vec<u32> {
    let all = of.iter().enumerate();
    all.filter(|(_, is)| **is)
        .map(|(at, _)| at as u32)
        .collect()
}

impl End {
    fn new(last: &Last<'_>, after: Vec<u32>) -> End {
        let (known, print) = match last.touches {
            Touches::These(print) => (Known::These, Some(print)),
            Touches::Perhaps(print) => (Known::Perhaps, Some(print)),
            Touches::Anything => (Known::Nothing, None),
        };
        End {
            thread: last.thread,
            stands: last.stands,
            known,
            words: print.map_or(Vec::new(), |p| p.words.to_vec()),
            bits: print.map_or(Bits::ALL, |p| p.bits),
            after,
            rival: last.rival,
        }
    }

    fn last(&self) -> Last<'_> {
        let print = Print {
            words: &self.words,
            bits: self.bits,
        };
        Last {
            thread: self.thread,
            stands: self.stands,
            touches: match self.known {
                Known::These => Touches::These(print),
                Known::Perhaps => Touches::Perhaps(print),
                Known::Nothing => Touches::Anything,
            },
            rival: self.rival,
        }
    }
}

impl Steps for Kept {
    fn thread(&self, step: u32) -> u32 {
        self.steps[step as usize].thread
    }

    fn print(&self, step: u32) -> Print<'_> {
        let Step { words, bits, .. } = &self.steps[step as usize];
        Print { words, bits: *bits }
    }

    fn targets(&self, step: u32) -> &[u32] {
        &self.steps[step as usize].targets
    }

    fn name(&self, step: u32) -> u64 {
        self.steps[step as usize].name
    }

    fn before(&self, earlier: u32, later: u32) -> bool {
        self.steps[later as usize].after.contains(&earlier)
    }

    fn before_last(&self, step: u32) -> bool {
        let last = self.last.as_ref();
        last.is_some_and(|last| last.after.contains(&step))
    }
}
