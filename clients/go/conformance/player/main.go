// Command player takes a seat of a session, plays it at random and prints the result: `player ADDRESS SESSION_ID`. The
// conformance kit seats it beside those of other languages.
package main

import (
	"context"
	"encoding/json"
	"log"
	"math/rand/v2"
	"os"

	"tavola.example/tavola"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

func main() {
	ctx := context.Background()
	client := must(tavola.Connect(os.Args[1]))
	seat := must(client.Join(ctx, &tavolav1.JoinSessionRequest{SessionId: os.Args[2]}))
	outcome := must(seat.Play(ctx, func(_ context.Context, update *tavolav1.Update) (tavola.Answer, error) {
		return tavola.ByID(update.LegalActions[rand.IntN(len(update.LegalActions))].GetActionId()), nil
	}))
	result := map[string]any{"seat": seat.Number, "winners": outcome.Winners, "returns": outcome.Returns}
	if err := json.NewEncoder(os.Stdout).Encode(result); err != nil {
		log.Fatal(err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
