//! Bad submissions: each can be made by a call of its own and on a stream.

use prost::Message as _;
use tavola::pb::v1::{
    Action, ErrorReason, PlayOpen, PlayRequest, PlaySubmit, SubmitActionRequest, play_request,
    play_submit, submit_action_request::Answer,
};

use super::{
    call::Call,
    cases::{Case, field},
    contract::Contract,
    world::World,
};
use crate::common::Table;

/// A bad submission.
pub(crate) struct Submission<'a> {
    pub(crate) table: &'a Table,
    pub(crate) seat: usize,
    decision_id: u64,
    answer: Option<Answer>,
    /// The field that is bad, as a path in SubmitActionRequest.
    field: String,
    pub(crate) what: &'static str,
    reason: ErrorReason,
    violation: Option<String>,
}

impl Submission<'_> {
    pub(crate) fn by_call(&self) -> Call {
        Call::SubmitAction(SubmitActionRequest {
            session_id: self.table.id.clone(),
            decision_id: self.decision_id,
            answer: self.answer.clone(),
            view: 0,
        })
    }

    pub(crate) fn on_a_stream(&self) -> Call {
        let open = PlayOpen {
            session_id: self.table.id.clone(),
            ..Default::default()
        };
        let answer = self.answer.clone().map(|answer| match answer {
            Answer::ActionId(id) => play_submit::Answer::ActionId(id),
            Answer::Action(action) => play_submit::Answer::Action(action),
        });
        let submit = PlaySubmit {
            decision_id: self.decision_id,
            answer,
        };
        let requests = [
            play_request::Kind::Open(open),
            play_request::Kind::Submit(submit),
        ];
        Call::Play(requests.map(|kind| PlayRequest { kind: Some(kind) }).into())
    }

    pub(crate) fn cases(&self) -> [Case; 2] {
        let token = Some(&self.table.tokens[self.seat]);
        let on_a_stream = match self.field.as_str() {
            "" => String::new(),
            // The same field in a request of a stream.
            of_call => format!("submit.{of_call}"),
        };
        [
            (self.by_call(), self.field.clone()),
            (self.on_a_stream(), on_a_stream),
        ]
        .map(|(call, at)| Case {
            violation: self.violation.clone(),
            ..field(call, token, at, self.what, self.reason)
        })
    }
}

pub(crate) fn bad_submissions(world: &World) -> Vec<Submission<'_>> {
    use ErrorReason::{
        ActionNotLegal, GameOver, MalformedRequest, NotToAct, SessionNotStarted, StaleDecision,
    };

    // Seat 0 of this table is to place worker 0.
    let good = || Submission {
        table: &world.running,
        seat: 0,
        decision_id: 1,
        answer: Some(Answer::ActionId(0)),
        field: String::new(),
        what: "",
        reason: MalformedRequest,
        violation: None,
    };
    let mut bad = bad_answers(world);
    for (what, decision_id, reason) in [
        ("unset", 0, MalformedRequest),
        ("yet to come", 2, StaleDecision),
        ("max", u64::MAX, StaleDecision),
    ] {
        bad.push(Submission {
            field: "decision_id".to_owned(),
            what,
            decision_id,
            reason,
            violation: (reason == MalformedRequest).then(|| "decision_id".to_owned()),
            ..good()
        });
    }
    for (what, id) in [
        ("another worker", 25),
        ("a worker of the other side", 50),
        ("a worker that is not in play", 149),
        ("a move", 150),
        ("a build", 300),
    ] {
        bad.push(Submission {
            what,
            answer: Some(Answer::ActionId(id)),
            reason: ActionNotLegal,
            ..good()
        });
    }
    bad.push(Submission {
        what: "not its turn",
        seat: 1,
        reason: NotToAct,
        ..good()
    });
    bad.push(Submission {
        what: "before the start",
        table: &world.waiting,
        reason: SessionNotStarted,
        ..good()
    });
    for seat in [0, 1] {
        for decision_id in [10_000, u64::MAX] {
            bad.push(Submission {
                what: "after the end",
                table: &world.finished,
                seat,
                decision_id,
                reason: GameOver,
                ..good()
            });
        }
    }
    bad
}

/// What no decision of any game could be answered with.
fn bad_answers(world: &World) -> Vec<Submission<'_>> {
    let mut bad = Vec::new();
    let mut add = |table, field: &str, what, answer, violation: &str| {
        bad.push(Submission {
            table,
            seat: 0,
            decision_id: 1,
            answer,
            field: field.to_owned(),
            what,
            reason: ErrorReason::MalformedRequest,
            violation: Some(violation.to_owned()),
        });
    };
    for (game, table) in &world.games {
        add(table, "answer", "unset", None, "answer");
        for (what, id) in [("the first beyond", game.action_space), ("max", u32::MAX)] {
            let answer = Some(Answer::ActionId(id));
            add(table, "action_id", what, answer, "action_id");
        }
    }
    for wrong in Contract::read().bad(".tavola.v1.Action", true) {
        let action = Action::decode(&wrong.encoded[..]).expect("it is well encoded");
        let answer = Some(Answer::Action(action));
        let path = format!("action.{}", wrong.path);
        let of_game = wrong.path.split_once('.').map(|(game, _)| game);
        if let Some(game) = of_game {
            add(
                world.table_of(game),
                &path,
                wrong.what,
                answer.clone(),
                &path,
            );
        }
        // An action of no game, or of another one, is none of this game.
        for (game, table) in &world.games {
            if of_game.is_none() || of_game != Some(&game.game) && wrong.path.ends_with(".kind") {
                let violation = format!("action.{}", game.game);
                add(table, &path, wrong.what, answer.clone(), &violation);
            }
        }
    }
    bad
}
