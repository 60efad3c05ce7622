//! `heddle run --rehearse`: the program runs as always, but at random points the
//! machine is marked, runs on, is rewound, and its whole state compared with what
//! it was. The program must not notice.

use heddle_model::{Mark, Rewind};
use heddle_vm::digest::Digest;
use heddle_vm::heap::mix;
use heddle_vm::vm::Vm;

/// Marks that are live at the same time at most.
const NESTING: usize = 4;
/// Rewinds in one run at most: the program has to end some time.
const REWINDS: u32 = 150;

/// The live marks, with the state that each must give back.
pub struct Rehearsal {
    random: u64,
    marks: Vec<(Mark, Digest)>,
    rewinds: u32,
}

impl Rehearsal {
    pub fn new(seed: u64) -> Rehearsal {
        Rehearsal {
            random: mix(seed),
            marks: Vec::new(),
            rewinds: 0,
        }
    }

    /// Between two slices: marks, rewinds, forgets, or nothing.
    pub fn step(&mut self, vm: &mut Vm) -> Result<(), String> {
        if self.rewinds >= REWINDS || !vm.globals.main_started && self.pick(40) != 0 {
            return Ok(());
        }
        match self.pick(10) {
            0 | 1 if self.marks.len() < NESTING => {
                let digest = vm.digest();
                let mark = vm.mark();
                self.marks.push((mark, digest));
                Ok(())
            }
            2 | 3 if !self.marks.is_empty() => self.rewind(vm),
            4 if self.pick(3) == 0 && !self.marks.is_empty() => {
                let index = self.pick(self.marks.len() as u64) as usize;
                let (mark, _) = self.marks.remove(index);
                vm.forget(mark);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// The program has ended: most often that is a reason to go back once more (`true`).
    pub fn end(&mut self, vm: &mut Vm) -> Result<bool, String> {
        if self.rewinds < REWINDS && !self.marks.is_empty() && self.pick(4) != 0 {
            self.rewind(vm)?;
            return Ok(true);
        }
        for (mark, _) in self.marks.drain(..) {
            vm.forget(mark);
        }
        Ok(false)
    }

    fn rewind(&mut self, vm: &mut Vm) -> Result<(), String> {
        let index = self.pick(self.marks.len() as u64) as usize;
        self.rewinds += 1;
        let (mark, before) = &self.marks[index];
        vm.rewind(*mark);
        let after = vm.digest();
        for ((part, was), (_, is)) in before.iter().zip(&after) {
            if was != is {
                return Err(format!(
                    "internal error: after rewind {} the {part} are not what they were",
                    self.rewinds
                ));
            }
        }
        self.marks.truncate(index + 1);
        Ok(())
    }

    fn pick(&mut self, below: u64) -> u64 {
        self.random = mix(self.random);
        self.random % below
    }
}
