package main

import (
	"context"
	"testing"

	"google.golang.org/protobuf/proto"

	"tavola.example/tavola"
	"tavola.example/tavola/internal/realserver"
	santoriniv1 "tavola.example/tavola/proto/tavola/santorini/v1"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// table is a table without gods: workers 0 and 1 are seat 0's, 2 and 3 seat 1's.
func table(levels map[int]uint32, workers ...uint32) *santoriniv1.Observation {
	table := &santoriniv1.Observation{Board: &santoriniv1.Board{Levels: make([]uint32, width*width)}}
	for space, level := range levels {
		table.Board.Levels[space] = level
	}
	for worker, space := range workers {
		table.Workers = append(table.Workers, &santoriniv1.Worker{
			Worker: proto.Uint32(uint32(worker)), Seat: proto.Uint32(uint32(worker / 2)), Space: proto.Uint32(space),
		})
	}
	for seat := range uint32(2) {
		table.Players = append(table.Players, &santoriniv1.Player{Seat: proto.Uint32(seat), Side: proto.Uint32(seat)})
	}
	return table
}

func move(worker, to uint32) *santoriniv1.Action {
	move := &santoriniv1.Move{Worker: proto.Uint32(worker), To: proto.Uint32(to)}
	return &santoriniv1.Action{Kind: &santoriniv1.Action_Move{Move: move}}
}

func build(worker, space uint32, piece santoriniv1.Piece) *santoriniv1.Action {
	build := &santoriniv1.Build{Worker: proto.Uint32(worker), Space: proto.Uint32(space), Piece: piece}
	return &santoriniv1.Action{Kind: &santoriniv1.Action_Build{Build: build}}
}

// check checks that seat 0 prefers the first action, wherever it stands in the list.
func check(t *testing.T, table *santoriniv1.Observation, actions ...*santoriniv1.Action) {
	t.Helper()
	value := func(action *tavolav1.Action) int { return after(table, action.GetSantorini()).value(table, 0) }
	legal := make([]*tavolav1.LegalAction, len(actions))
	for i, action := range actions {
		legal[i] = &tavolav1.LegalAction{
			ActionId: proto.Uint32(uint32(i)),
			Action:   &tavolav1.Action{Game: &tavolav1.Action_Santorini{Santorini: action}},
		}
	}
	for range legal {
		legal = append(legal[1:], legal[0])
		if chosen := best(legal, value); chosen.GetActionId() != 0 {
			t.Errorf("it prefers %v", chosen)
		}
	}
}

func TestItClimbsToWin(t *testing.T) {
	check(t, table(map[int]uint32{0: 2, 1: 3, 5: 2, 6: 2}, 0, 24, 20, 4), move(0, 1), move(0, 5), move(0, 6), move(1, 23))
}

func TestItClimbsRatherThanStays(t *testing.T) {
	check(t, table(map[int]uint32{6: 1}, 0, 24, 20, 4), move(0, 6), move(0, 5), move(0, 1))
}

func TestItBlocksATowerThatTheOtherWouldClimb(t *testing.T) {
	levels := map[int]uint32{12: 3, 13: 2, 7: 2}
	dome, block := santoriniv1.Piece_PIECE_DOME, santoriniv1.Piece_PIECE_BLOCK
	check(t, table(levels, 11, 24, 13, 4), build(0, 12, dome), build(0, 10, block), build(0, 6, block), build(0, 16, block))
}

func TestItBuildsNoStepToVictoryForTheOther(t *testing.T) {
	levels := map[int]uint32{12: 2, 13: 2}
	block := santoriniv1.Piece_PIECE_BLOCK
	check(t, table(levels, 11, 24, 13, 4), build(0, 10, block), build(0, 12, block))
}

// TestItBeatsChance plays with gods, as they come. Who plays by chance wins half of the games, and so many in less than
// one of a thousand runs.
func TestItBeatsChance(t *testing.T) {
	t.Parallel()
	address := realserver.Start(t).Address
	const games, enough = 40, 31
	won := 0
	for range games {
		outcome, err := play(context.Background(), address, "santorini", "random")
		if err != nil {
			t.Fatal(err)
		}
		for _, winner := range outcome.Winners {
			if winner == 0 {
				won++
			}
		}
	}
	if won < enough {
		t.Errorf("won %d of %d games", won, games)
	}
}

func TestItPlaysEveryGame(t *testing.T) {
	t.Parallel()
	address := realserver.Start(t).Address
	client, err := tavola.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	all, err := client.Games(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range all {
		if outcome, err := play(t.Context(), address, game.Game, "random"); err != nil || len(outcome.Returns) == 0 {
			t.Errorf("%s: %v, %v", game.Game, outcome, err)
		}
	}
}
