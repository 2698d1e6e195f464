//! Santorini as the bot thinks of it.

use std::collections::BTreeMap;

use tavola_client::santorini::v1::{Action, Observation, Piece, Worker, action::Kind};

const WIDTH: u32 = 5;
/// The level on which a worker that moves up to it wins.
const TOP: u32 = 3;
/// The level of a closed space, as this bot counts.
const DOME: u32 = 4;

/// The table: what is built, and who stands where.
#[derive(Debug)]
pub(crate) struct Position {
    levels: Vec<u32>,
    /// The spaces of the workers that are on the board.
    workers: BTreeMap<u32, u32>,
    won: bool,
}

impl Position {
    /// The table after an action, as far as workers and towers go: it does not know what gods do.
    pub(crate) fn after(table: &Observation, action: &Action) -> Self {
        let board = table.board.clone().unwrap_or_default();
        let placed = |worker: &Worker| Some((worker.worker(), worker.space?));
        let mut here = Self {
            levels: board.levels,
            workers: table.workers.iter().filter_map(placed).collect(),
            won: false,
        };
        for space in board.domes {
            here.levels[space as usize] = DOME;
        }
        match &action.kind {
            Some(Kind::PlaceWorker(place)) => here.put(place.worker(), place.space()),
            Some(Kind::Move(step)) => {
                let from = here
                    .workers
                    .get(&step.worker())
                    .map(|&space| here.level(space));
                here.won = here.level(step.to()) == TOP && from.is_some_and(|from| from < TOP);
                here.put(step.worker(), step.to());
            }
            Some(Kind::Build(build)) => here.build(build.space(), build.piece()),
            Some(Kind::PreBuild(build)) => here.build(build.space(), build.piece()),
            _ => {}
        }
        here
    }

    /// How good the table is for a seat: to win is best, to let another side win next is worst, and between these it is
    /// good to stand high and to have higher places to go to.
    pub(crate) fn value(&self, table: &Observation, seat: u32) -> i32 {
        if self.won {
            return 1000;
        }
        let side = |seat: u32| table.players.get(seat as usize).map(|player| player.side());
        let mut sum = 0;
        for worker in &table.workers {
            if let Some(&space) = self.workers.get(&worker.worker()) {
                let ours = side(worker.seat()) == side(seat);
                let worth = self.worth(space);
                sum += if ours {
                    worth
                } else {
                    -worth - self.threat(space)
                };
            }
        }
        sum
    }

    /// What it is worth to have a worker on a space.
    fn worth(&self, space: u32) -> i32 {
        let level = self.level(space);
        let reachable = |&next: &u32| next <= level + 1 && next < DOME;
        let ways = neighbors(space)
            .map(|next| self.level(next))
            .filter(reachable);
        (10 * level + ways.map(|next| 1 + next).sum::<u32>()) as i32
    }

    /// What it costs to let a worker there win with its next step.
    fn threat(&self, space: u32) -> i32 {
        let free = |next: &u32| !self.workers.values().any(|taken| taken == next);
        let wins = |next: &u32| self.level(*next) == TOP && self.level(space) == TOP - 1;
        300 * neighbors(space).filter(free).filter(wins).count() as i32
    }

    fn put(&mut self, worker: u32, space: u32) {
        self.workers.insert(worker, space);
    }

    fn build(&mut self, space: u32, piece: Piece) {
        self.levels[space as usize] = match piece {
            Piece::Dome => DOME,
            _ => self.level(space) + 1,
        };
    }

    fn level(&self, space: u32) -> u32 {
        self.levels[space as usize]
    }
}

/// The spaces around one.
fn neighbors(space: u32) -> impl Iterator<Item = u32> {
    let around = |at: u32| at.saturating_sub(1)..=(at + 1).min(WIDTH - 1);
    around(space / WIDTH)
        .flat_map(move |row| around(space % WIDTH).map(move |column| row * WIDTH + column))
        .filter(move |&next| next != space)
}
