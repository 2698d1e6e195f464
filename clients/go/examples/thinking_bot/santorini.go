package main

import (
	"math/rand/v2"

	santoriniv1 "tavola.example/tavola/proto/tavola/santorini/v1"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

const (
	width = 5
	top   = 3 // The level on which a worker that moves up to it wins.
	dome  = 4 // The level of a closed space, as this bot counts.
)

// A position is the table of Santorini as this bot thinks of it.
type position struct {
	levels  [width * width]int
	workers map[uint32]uint32 // Where each worker stands that is on the board.
	won     bool
}

// after returns the position after an action, as far as workers and towers go: it does not know what gods do.
func after(table *santoriniv1.Observation, action *santoriniv1.Action) *position {
	here := &position{workers: map[uint32]uint32{}}
	for space, level := range table.GetBoard().GetLevels() {
		here.levels[space] = int(level)
	}
	for _, space := range table.GetBoard().GetDomes() {
		here.levels[space] = dome
	}
	for _, worker := range table.GetWorkers() {
		if worker.Space != nil {
			here.workers[worker.GetWorker()] = worker.GetSpace()
		}
	}
	switch kind := action.GetKind().(type) {
	case *santoriniv1.Action_PlaceWorker:
		here.workers[kind.PlaceWorker.GetWorker()] = kind.PlaceWorker.GetSpace()
	case *santoriniv1.Action_Move:
		from, to := here.workers[kind.Move.GetWorker()], kind.Move.GetTo()
		here.won = here.levels[to] == top && here.levels[from] < top
		here.workers[kind.Move.GetWorker()] = to
	case *santoriniv1.Action_Build:
		here.build(kind.Build.GetSpace(), kind.Build.GetPiece())
	case *santoriniv1.Action_PreBuild:
		here.build(kind.PreBuild.GetSpace(), kind.PreBuild.GetPiece())
	}
	return here
}

func (p *position) build(space uint32, piece santoriniv1.Piece) {
	p.levels[space]++
	if piece == santoriniv1.Piece_PIECE_DOME {
		p.levels[space] = dome
	}
}

// value says how good a position is for a seat: to win is best, to let another side win next is worst, and between
// these it is good to stand high and to have higher places to go to.
func (p *position) value(table *santoriniv1.Observation, seat uint32) int {
	if p.won {
		return 1000
	}
	players := table.GetPlayers()
	owners := map[uint32]uint32{}
	for _, worker := range table.GetWorkers() {
		owners[worker.GetWorker()] = worker.GetSeat()
	}
	sum := 0
	for worker, space := range p.workers {
		level, ours := p.levels[space], players[owners[worker]].GetSide() == players[seat].GetSide()
		worth := 10 * level
		for neighbor := range neighbors(int(space)) {
			switch next := p.levels[neighbor]; {
			case next == top && level == top-1 && !ours && !p.taken(neighbor):
				worth += 300
			case next <= level+1 && next < dome:
				worth += 1 + next
			}
		}
		if ours {
			sum += worth
		} else {
			sum -= worth
		}
	}
	return sum
}

func (p *position) taken(space int) bool {
	for _, other := range p.workers {
		if int(other) == space {
			return true
		}
	}
	return false
}

// neighbors goes through the spaces around one.
func neighbors(space int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for y := max(space/width-1, 0); y <= min(space/width+1, width-1); y++ {
			for x := max(space%width-1, 0); x <= min(space%width+1, width-1); x++ {
				if next := y*width + x; next != space && !yield(next) {
					return
				}
			}
		}
	}
}

// best returns the action of the highest value, by chance among equals.
func best(actions []*tavolav1.LegalAction, value func(*tavolav1.Action) int) *tavolav1.LegalAction {
	var chosen *tavolav1.LegalAction
	highest, equals := 0, 0
	for _, action := range actions {
		worth := value(action.GetAction())
		if chosen == nil || worth > highest {
			chosen, highest, equals = action, worth, 0
		}
		if worth == highest {
			if equals++; rand.IntN(equals) == 0 {
				chosen = action
			}
		}
	}
	return chosen
}
