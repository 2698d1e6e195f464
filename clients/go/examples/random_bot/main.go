// Command random_bot plays a whole game at random against house bots and prints the result.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"

	"tavola.example/tavola"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

func main() {
	address := flag.String("address", "localhost:50051", "the server")
	bot := flag.String("bot", "random", "the house bot to play against")
	game := flag.String("game", "santorini", "the id of the game")
	flag.Parse()

	ctx := context.Background()
	client := must(tavola.Connect(*address))
	host := must(client.Create(ctx, &tavolav1.CreateSessionRequest{Game: *game}))
	me := must(host.Join(ctx))
	for range must(client.Session(ctx, host.SessionID)).Seats[1:] {
		must(host.AddBot(ctx, &tavolav1.AddBotRequest{Bot: *bot}))
	}
	outcome := must(me.Play(ctx, func(_ context.Context, update *tavolav1.Update) (tavola.Answer, error) {
		return tavola.ByID(update.LegalActions[rand.IntN(len(update.LegalActions))].GetActionId()), nil
	}))
	fmt.Printf("%s as seat %d: winners %v, returns %v\n", *game, me.Number, outcome.Winners, outcome.Returns)
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal("No game: ", err)
	}
	return value
}
