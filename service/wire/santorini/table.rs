//! What is on the table, on the wire.

use tavola_engine::{
    Seat,
    games::santorini::{Public, Space, Stage, Supply},
};

use super::{
    gods::{god_to_pb, gods_to_pb},
    workers_to_pb,
};
use crate::pb::santorini::v1 as game;

pub(super) fn public_to_pb(public: &Public) -> game::Observation {
    let stage = match &public.stage {
        Stage::Offering => game::Stage::OfferGods,
        Stage::Taking => game::Stage::TakeGod,
        Stage::NamingStartPlayer => game::Stage::NameStartPlayer,
        Stage::Placing { .. } => game::Stage::PlaceWorkers,
        Stage::Moving => game::Stage::Move,
        Stage::Building => game::Stage::Build,
        Stage::Ending => game::Stage::EndTurn,
        Stage::Borrowing => game::Stage::AdditionalTurn,
        Stage::Over(_) => game::Stage::Over,
    };
    let in_play = public.sides().flat_map(|side| side.workers());
    let chaos = &public.chaos;
    game::Observation {
        board: Some(game::Board {
            levels: Space::all()
                .map(|space| public.board.level(space).number().into())
                .collect(),
            domes: public
                .board
                .domes()
                .iter()
                .map(|space| space.index().into())
                .collect(),
        }),
        workers: in_play
            .map(|worker| game::Worker {
                worker: Some(worker.index().into()),
                seat: Some(worker.side().index().into()),
                space: public
                    .workers
                    .space_of(worker)
                    .map(|space| space.index().into()),
            })
            .collect(),
        supply: match &public.supply {
            Supply::Unlimited => None,
            Supply::Limited(pieces) => {
                let [level1_blocks, level2_blocks, level3_blocks] = pieces.blocks.map(u32::from);
                Some(game::Supply {
                    level1_blocks,
                    level2_blocks,
                    level3_blocks,
                    domes: pieces.domes.into(),
                })
            }
        },
        stage: stage.into(),
        turn_seat: (stage != game::Stage::Over).then_some(public.on_turn.0.into()),
        turn: public.turns.into(),
        start_player: public.start_player.map(|seat| seat.0.into()),
        builder: (stage == game::Stage::Build)
            .then_some(public.turn.last_mover)
            .flatten()
            .map(|worker| worker.index().into()),
        players: (0..public.seats)
            .map(Seat)
            .map(|seat| player_to_pb(public, seat))
            .collect(),
        offer: gods_to_pb(public.offer),
        challenger: public.challenger.map(|seat| seat.0.into()),
        athena_lock: public.athena_lock,
        morpheus_pool: public.morpheus_pool.into(),
        chaos: chaos.face_up.map(|face_up| game::Chaos {
            face_up: god_to_pb(face_up).into(),
            deck: gods_to_pb(chaos.deck),
            discards: chaos
                .discards
                .iter()
                .map(|&god| god_to_pb(god).into())
                .collect(),
        }),
        additional_turns_owed: public.additional_turns_owed.into(),
        turn_record: (public.turns > 0).then(|| turn_to_pb(public)),
    }
}

fn player_to_pb(public: &Public, seat: Seat) -> game::Player {
    game::Player {
        seat: Some(seat.0.into()),
        side: Some(public.side_of(seat).index().into()),
        gods: gods_to_pb(public.powers_of(seat)),
        eliminated: !public.playing.contains(seat),
        leaving: public.leaving.contains(seat),
    }
}

fn turn_to_pb(public: &Public) -> game::Turn {
    let turn = &public.turn;
    game::Turn {
        additional: turn.additional,
        moves: turn.moves.into(),
        moved: workers_to_pb(turn.moved),
        last_mover: turn.last_mover.map(|worker| worker.index().into()),
        committed: turn.committed.map(|worker| worker.index().into()),
        climb_forbidden: turn.may_not_climb,
        builds: turn.builds.into(),
        end_builds: turn.end_builds.into(),
        asleep: workers_to_pb(turn.asleep),
        bound: workers_to_pb(turn.bound),
        climb_owed: turn.must_climb && !turn.moved_up,
        dome_built: turn.dome_placed,
    }
}
