//! What is on the table, on the wire.

use tavola_engine::{
    Seat,
    games::shadow_hunters::{Player, Public},
};

use super::{
    area_to_pb, card_to_pb, character_to_pb, end_reason_to_pb, equipment_to_pb, frame::frame_to_pb,
    options::write_options, seat_to_pb, single_use_to_pb, slot_to_pb,
};
use crate::pb::shadow_hunters::v1 as game;

pub(super) fn table_to_pb(public: &Public) -> game::Table {
    game::Table {
        options: Some(write_options(&public.options)),
        areas: public.areas.iter().copied().map(area_to_pb).collect(),
        players: (0..)
            .map(Seat)
            .zip(&public.players)
            .map(player_to_pb)
            .collect(),
        active_seat: Some(seat_to_pb(public.active)),
        turn: public.turn.into(),
        white_discard: public
            .white_discard
            .iter()
            .copied()
            .map(card_to_pb)
            .collect(),
        black_discard: public
            .black_discard
            .iter()
            .copied()
            .map(card_to_pb)
            .collect(),
        white_draw: public.white_draw.into(),
        black_draw: public.black_draw.into(),
        hermit_draw: public.hermit_draw.into(),
        hermit_discard: public.hermit_discard.into(),
        hermit_shuffles: public.hermit_shuffles.into(),
        in_play: public.in_play.map(single_use_to_pb),
        frames: public.stack.iter().map(frame_to_pb).collect(),
        open_characters: public
            .open_characters()
            .iter()
            .map(character_to_pb)
            .collect(),
        end_reason: public
            .ending
            .as_ref()
            .map(|ending| end_reason_to_pb(ending.reason).into()),
    }
}

fn player_to_pb((seat, player): (Seat, &Player)) -> game::Player {
    game::Player {
        seat: Some(seat_to_pb(seat)),
        character: player.character.map(character_to_pb),
        alive: player.alive,
        damage: player.damage.into(),
        slot: player.slot.map(slot_to_pb),
        equipment: player
            .equipment
            .iter()
            .copied()
            .map(equipment_to_pb)
            .collect(),
        ability_used: player.ability_used,
        ability_used_this_turn: player.ability_used_this_turn,
        ability_void: player.ability_void,
        guardian: player.guardian,
        barrier: player.barrier,
        extra_turns: player.extra_turns.into(),
        capriccio: player.capriccio,
        died_first: player.died_first,
        resigned: player.resigned,
    }
}
