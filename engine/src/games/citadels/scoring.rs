//! The end of the game: points and winners (section 10).

use super::character::tunables;
use super::city::Built;
use super::district::{Color, District};
use super::event::Event;
use super::setup::setup;
use super::state::{Citadels, End, Ending, PerSeat, Public, Stage};
use crate::cx::{Audience, Cx};
use crate::outcome::Outcome;
use crate::seat::{Seat, SeatMap, SeatSet};

/// The points of a seat (10.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Score {
    /// 1. The points of the districts.
    pub districts: u16,
    /// 2. For districts of all five colors: 3 or 0.
    pub colors: u16,
    /// 3 and 4. For a complete city: 4 for the first, 2 for any other, else 0.
    pub complete: u16,
    /// 5. Museum: the cards under it.
    pub museum: u16,
    /// 5. Imperial Treasury: the gold in the stash.
    pub imperial_treasury: u16,
    /// 5. Map Room: the cards in the hand.
    pub map_room: u16,
    /// 5. Wishing Well: the other purple districts.
    pub wishing_well: u16,
    /// The color that the Haunted City stands for; `None` if there is none.
    pub haunted_city: Option<Color>,
}

impl Score {
    /// All points together.
    pub const fn total(&self) -> u16 {
        self.districts
            + self.colors
            + self.complete
            + self.museum
            + self.imperial_treasury
            + self.map_room
            + self.wishing_well
    }
}

impl Built {
    /// What it is worth in step 1.
    pub fn points(&self) -> u16 {
        u16::from(self.district.card().points)
            + if self.beautified {
                tunables().beautify_gold.into()
            } else {
                0
            }
    }
}

impl Public {
    /// The points that the seat would have if the game ended now, this round being the last.
    pub fn score(&self, seat: Seat) -> Score {
        let haunted = self.boards[seat]
            .city
            .iter()
            .find(|built| built.district == District::HauntedCity);
        let colors: &[Option<Color>] = match haunted {
            None => &[None],
            // Ruling 31: built by its owner in the last round it stays purple.
            Some(built) if built.builder == seat && built.round == self.round => {
                &[Some(Color::Purple)]
            }
            Some(_) => &[
                Some(Color::Purple),
                Some(Color::Yellow),
                Some(Color::Blue),
                Some(Color::Green),
                Some(Color::Red),
            ],
        };
        // Ruling 32: one color, the one that suits its owner best; of equals the first.
        let mut best = self.score_with(seat, None);
        let mut first = true;
        for &haunted_city in colors {
            let score = self.score_with(seat, haunted_city);
            if first || score.total() > best.total() {
                best = score;
            }
            first = false;
        }
        best
    }

    fn score_with(&self, seat: Seat, haunted_city: Option<Color>) -> Score {
        let numbers = &setup().score;
        let board = &self.boards[seat];
        let color = |built: &Built| match haunted_city {
            Some(color) if built.district == District::HauntedCity => color,
            _ => built.district.color(),
        };
        let has = |wanted: Color| board.city.iter().any(|built| color(built) == wanted);
        let if_built =
            |district: District, points: u16| if board.has(district) { points } else { 0 };
        let purple = board
            .city
            .iter()
            .filter(|built| color(built) == Color::Purple)
            .count() as u16;
        Score {
            districts: board.city.iter().map(Built::points).sum(),
            colors: if Color::ALL.into_iter().all(has) {
                numbers.five_colors
            } else {
                0
            },
            complete: match self.end {
                Some(end) if end.first_complete == Some(seat) => numbers.first_complete,
                Some(end) if board.districts() >= end.districts => numbers.other_complete,
                _ => 0,
            },
            museum: if_built(District::Museum, self.museum.cards.into()),
            imperial_treasury: if_built(District::ImperialTreasury, board.gold),
            map_room: if_built(District::MapRoom, board.hand.into()),
            wishing_well: if_built(District::WishingWell, purple.saturating_sub(1)),
            haunted_city,
        }
    }

    /// The winners (10.3): most points, then most of step 1, then most gold. Who has left can't win.
    fn winners(&self, scores: &PerSeat<Score>) -> SeatSet {
        let rank = |seat: Seat| {
            let score = &scores[seat];
            (score.total(), score.districts, self.boards[seat].gold)
        };
        let stayed = || self.seated().filter(|&seat| !self.left.contains(seat));
        let best = stayed().map(rank).max();
        stayed().filter(|&seat| Some(rank(seat)) == best).collect()
    }
}

impl Citadels {
    /// SCORING.
    pub(super) fn score(&mut self, cx: &mut Cx<'_, Event>) {
        let public = &mut self.public;
        if public.end.is_none() {
            // 10.4: the round limit. Complete cities are counted as they would be now, but nobody was first.
            public.end = Some(End {
                first_complete: None,
                districts: public.districts_to_complete(),
            });
        }
        let mut scores = PerSeat::default();
        for seat in public.seated() {
            scores[seat] = public.score(seat);
        }
        let winners = public.winners(&scores);
        let left = public.left;
        let returns = SeatMap::from_fn(public.seats, |seat| {
            if winners.contains(seat) {
                1
            } else if left.contains(seat) {
                // Behind all who stayed.
                -1
            } else {
                0
            }
        });
        public.turn = None;
        public.stage = Stage::Over(Ending {
            outcome: Outcome { winners, returns },
            scores,
        });
        cx.tell(Audience::All, || Event::GameEnded { winners });
    }
}
