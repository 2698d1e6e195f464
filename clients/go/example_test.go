package tavola_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"slices"
	"sync"

	tavola "tavola.example/tavola"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// The examples play against a server of this process that has one session.
var exampleServer = sync.OnceValue(func() *fakeServer { return launch() })

// exampleSeat takes a seat of a game that has not been played yet.
func exampleSeat() *tavola.Seat {
	client, err := tavola.Connect(launch().address)
	if err != nil {
		log.Fatal(err)
	}
	seat, err := client.Join(context.Background(), &tavolav1.JoinSessionRequest{SessionId: fakeSession})
	if err != nil {
		log.Fatal(err)
	}
	return seat
}

func ExampleClient_Games() {
	address := exampleServer().address

	client, err := tavola.Connect(address)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	games, err := client.Games(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, game := range games {
		fmt.Println(game.Game)
	}
	// Output:
	// first
	// second
	// third
}

func ExampleSeat_Play() {
	seat := exampleSeat()

	policy := func(_ context.Context, update *tavolav1.Update) (tavola.Answer, error) {
		return tavola.ByID(update.LegalActions[0].GetActionId()), nil
	}
	outcome, err := seat.Play(context.Background(), policy)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("won:", slices.Contains(outcome.Winners, seat.Number))
	// Output:
	// won: true
}

func ExampleViewer_Watch() {
	seat := exampleSeat()

	for update, err := range seat.Watch(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("version", update.Version, "asks seats", update.Decision.GetSeats())
		if slices.Contains(update.Decision.GetSeats(), seat.Number) {
			break
		}
	}
	// Output:
	// version 1 asks seats [0]
}

func ExampleError() {
	seat := exampleSeat()

	_, err := seat.Submit(context.Background(), 0, tavola.ByID(17))
	if errors.Is(err, tavola.ErrMalformedRequest) {
		var refused *tavola.Error
		errors.As(err, &refused)
		for _, violation := range refused.Violations {
			fmt.Println(violation.Field, violation.Description)
		}
	}
	// Output:
	// decision_id must be at least 1
}

func ExampleAuthorize() {
	seat := exampleSeat()
	client, err := tavola.Connect(exampleServer().address)
	if err != nil {
		log.Fatal(err)
	}

	ctx := tavola.Authorize(context.Background(), seat.Token)
	request := &tavolav1.GetObservationRequest{SessionId: seat.SessionID, View: tavolav1.View_VIEW_LEAN}
	reply, err := client.Sessions.GetObservation(ctx, request)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("version", reply.Version)
	// Output:
	// version 1
}
