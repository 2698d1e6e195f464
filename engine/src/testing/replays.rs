//! A record gives back the game that made it.

use rand::RngExt;

use super::{Failure, Trial};
use crate::error::ReplayError;
use crate::game::Game;
use crate::playthrough::{Entry, Playthrough};

impl<G: Game> Trial<'_, G> {
    pub(super) fn check_replay(&mut self) -> Result<(), Failure> {
        let record = self.playthrough.record().clone();
        let replayed = Playthrough::<G>::replay(&record);
        self.law(replayed.as_ref() == Ok(&self.playthrough), || {
            "the record replays to another game".into()
        })?;

        // Step by step, and with nobody listening.
        let again =
            Playthrough::<G>::start(record.options.clone(), record.seats, record.seed, None);
        let Ok(mut again) = again else {
            return self.law(false, || "the options are refused the second time".into());
        };
        for &entry in &record.entries {
            let ply = again.ply() as usize;
            let here = again.state_hash() == self.hashes[ply];
            self.law(here, || {
                format!("ply {ply} of the replay has another state")
            })?;
            let entered = match entry {
                Entry::Action(seat, action) => again.submit_id(seat, action, None),
                Entry::Resign(seat) => again.resign(seat, None),
            };
            self.law(entered.is_ok(), || {
                format!("ply {ply} of the replay: {entry:?} gives {entered:?}")
            })?;
        }

        let ply = self.dice.random_range(0..=self.playthrough.ply());
        let cut = Playthrough::<G>::replay_to(&record, ply);
        let right = cut.is_ok_and(|cut| {
            cut.state_hash() == self.hashes[ply as usize]
                && cut.record().entries == record.entries[..ply as usize]
        });
        self.law(right, || format!("the record replays to another ply {ply}"))?;
        let last = self.playthrough.ply();
        let beyond = Playthrough::<G>::replay_to(&record, last + 1);
        self.law(beyond == Err(ReplayError::NoSuchPly { last }), || {
            "the record replays beyond its end".into()
        })?;

        self.check_fork(ply)?;

        let mut foreign = record;
        foreign.rules_version += 1;
        let refused = matches!(
            Playthrough::<G>::replay(&foreign),
            Err(ReplayError::RulesVersion { .. })
        );
        self.law(refused, || {
            "a record of another rules version replays".into()
        })
    }

    /// A fork is the same up to its ply, replays, and goes its own way by its own seed alone.
    fn check_fork(&mut self, ply: u32) -> Result<(), Failure> {
        let original = &self.playthrough;
        let seed = original.record().seed;
        let Ok(mut fork) = original.fork(ply, seed) else {
            return self.law(false, || format!("ply {ply} cannot be forked"));
        };
        let same = fork.state_hash() == self.hashes[ply as usize];
        let replayed = Playthrough::<G>::replay(fork.record());
        let replays = replayed.as_ref() == Ok(&fork);
        for &entry in &original.record().entries[ply as usize..] {
            // One that is refused shows in the state at the end.
            let _ = match entry {
                Entry::Action(seat, action) => fork.submit_id(seat, action, None),
                Entry::Resign(seat) => fork.resign(seat, None),
            };
        }
        let same_dice_same_end = fork.state() == original.state();
        self.law(same, || format!("a fork at ply {ply} is another state"))?;
        self.law(replays, || format!("a fork at ply {ply} does not replay"))?;
        self.law(same_dice_same_end, || {
            format!("a fork at ply {ply} goes on differently by the same seed")
        })
    }
}
