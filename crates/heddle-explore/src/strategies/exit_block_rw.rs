//! ExitBlock-RW: orders of atomic blocks that depend on each other (Rivet, sections 2.4
//! and 2.5; with deadlocks, as Rivet's ExitBlock-RWDD, but losing none).
//!
//! A delayed thread is enabled again after a block that writes what its own block reads or
//! writes, or reads what it writes. Otherwise running it would only repeat what was seen
//! when it was run before the block instead of after it.
//!
//! ## What the published rule loses, and why nothing is lost here
//!
//! Delayed threads are a sleep set. A thread *t* that was run from a state with block *b*
//! may sleep through the blocks of others as long as *b* could as well have come first:
//! then every execution in which *t* wakes up later is one that was explored with *b* at
//! its beginning. That asks for more than disjoint data. Let *u* be a block of another
//! thread run while *t* sleeps.
//!
//! - *b* ends with a lock that it has taken, and *u* takes that lock. Then *u* cannot come
//!   right after *b*, and what *t* does next may depend on what *u*'s thread did under
//!   other locks in the meantime. `t: a{ b{} c{read x} }`, `u: a{} c{write x}`: with *t*
//!   delayed after `a{b{}`, the published rule never runs it again, and never sees it read
//!   what *u* wrote.
//! - *b* and *u* act on the same wait set (wait, notify, and the end of a thread that
//!   others join), or on the same thread (park, unpark, interrupt). Figure 2.20 of Rivet
//!   is such a case: none of the two threads touches any data.
//!
//! In these cases the thread is run as an extra schedule (see `blocks`), so the published
//! counts stay what they are. The other way round, *u* ends with a lock that *b* takes,
//! needs no waking: *b* can come first. Only if that lock is never given back does *t*
//! not get on, and this is what `blocks` looks for where a path ends.
//!
//! With that the search is one with sleep sets alone, which explores one order of every
//! class of equivalent executions and visits every state between blocks that can be
//! reached. So it finds what ExitBlock finds: every final state, every failed assertion,
//! every state in which all are stuck, and by the argument in `lock_cycles` every lock
//! cycle.
//!
//! A block that ends the program, or that was cut short by a bound, depends on everything.

use super::blocks::{Blocks, Rule, Wake};
use super::footprint::{Block, Footprints};
use heddle_model::EventMask;

pub type ExitBlockRw = Blocks<DependentOrders>;

/// The rule of ExitBlock-RW.
#[derive(Clone, Copy, Debug)]
pub struct DependentOrders;

impl Rule for DependentOrders {
    const ACCESSES: EventMask = EventMask::READ.and(EventMask::WRITE);

    #[inline]
    fn wake(footprints: &Footprints, delayed: &Block, ran: &Block) -> Wake {
        if delayed.exits || footprints.conflict(delayed, ran) {
            Wake::Yes
        } else if footprints.signals_meet(delayed, ran) || footprints.shuts_out(delayed, ran) {
            Wake::Extra
        } else {
            Wake::No
        }
    }

    fn retry(footprints: &Footprints, tried: &Block, ran: &Block) -> bool {
        footprints.conflict(tried, ran) || footprints.signals_meet(tried, ran)
    }
}
