// Command thinking_bot plays a whole game against house bots and prints the result. In Santorini it looks one action
// ahead; any other game it plays at random.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"

	"tavola.example/tavola"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

func main() {
	address := flag.String("address", "localhost:50051", "the server")
	bot := flag.String("bot", "random", "the house bot to play against")
	game := flag.String("game", "santorini", "the id of the game")
	flag.Parse()
	outcome, err := play(context.Background(), *address, *game, *bot)
	if err != nil {
		log.Fatal("No game: ", err)
	}
	fmt.Printf("%s as seat 0: winners %v, returns %v\n", *game, outcome.Winners, outcome.Returns)
}

// play plays a game on seat 0, with a house bot on all other seats.
func play(ctx context.Context, address, game, bot string) (*tavolav1.Outcome, error) {
	client, err := tavola.Connect(address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = client.Close() }()
	host, err := client.Create(ctx, &tavolav1.CreateSessionRequest{Game: game})
	if err != nil {
		return nil, err
	}
	session, err := client.Session(ctx, host.SessionID)
	if err != nil {
		return nil, err
	}
	me, err := host.Join(ctx)
	if err != nil {
		return nil, err
	}
	for range session.Seats[1:] {
		if _, err := host.AddBot(ctx, &tavolav1.AddBotRequest{Bot: bot}); err != nil {
			return nil, err
		}
	}
	return me.Play(ctx, think)
}

// think answers with the action that leads to the best table, by chance among equals.
func think(_ context.Context, update *tavolav1.Update) (tavola.Answer, error) {
	value := func(*tavolav1.Action) int { return 0 }
	if table := update.GetObservation().GetSantorini(); table != nil {
		value = func(action *tavolav1.Action) int {
			return after(table, action.GetSantorini()).value(table, update.GetSeat())
		}
	}
	return tavola.ByID(best(update.LegalActions, value).GetActionId()), nil
}
