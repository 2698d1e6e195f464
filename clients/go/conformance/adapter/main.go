// Command adapter is the Go client for the conformance kit: see clients/conformance/README.md.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"time"

	"google.golang.org/protobuf/proto"

	"tavola.example/tavola"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// A line is what the driver asks.
type line struct {
	ID          int          `json:"id"`
	Do          string       `json:"do"`
	Address     string       `json:"address"`
	APIKey      string       `json:"api_key"`
	TimeoutMs   int          `json:"timeout_ms"`
	PatienceMs  int          `json:"patience_ms"`
	Game        string       `json:"game"`
	Seats       *uint32      `json:"seats"`
	Options     []byte       `json:"options"`
	Seed        *uint64      `json:"seed,string"`
	Private     bool         `json:"private"`
	RequestID   string       `json:"request_id"`
	SessionID   string       `json:"session_id"`
	HostToken   tavola.Token `json:"host_token"`
	Bot         string       `json:"bot"`
	Seat        *uint32      `json:"seat"`
	Token       tavola.Token `json:"token"`
	DecisionID  uint64       `json:"decision_id,string"`
	ActionID    uint32       `json:"action_id"`
	Action      []byte       `json:"action"`
	FromVersion *uint64      `json:"from_version,string"`
	StopAt      *uint64      `json:"stop_at,string"`
	Answer      uint32       `json:"answer"`
}

type answer = map[string]any

var (
	client *tavola.Client
	ctx    = context.Background()
	input  = bufio.NewScanner(os.Stdin)
	output = json.NewEncoder(os.Stdout)
)

func main() {
	input.Buffer(nil, 1<<24)
	for input.Scan() {
		asked := read()
		told, err := do(asked)
		if err != nil {
			say(asked, "error", failure(err))
		} else {
			say(asked, "ok", told)
		}
	}
}

func do(asked *line) (answer, error) {
	seat := &tavola.Seat{}
	if client != nil {
		seat = client.Seat(asked.SessionID, deref(asked.Seat), asked.Token)
	}
	switch asked.Do {
	case "connect":
		connected, err := tavola.Connect(asked.Address, tavola.WithAPIKey(asked.APIKey),
			tavola.WithTimeout(time.Duration(asked.TimeoutMs)*time.Millisecond),
			tavola.WithPatience(time.Duration(asked.PatienceMs)*time.Millisecond))
		if client != nil {
			_ = client.Close()
		}
		client = connected
		return answer{}, err
	case "games":
		games, err := client.Games(ctx)
		names := []string{}
		for _, game := range games {
			names = append(names, game.Game)
		}
		return answer{"games": names}, err
	case "create":
		request := &tavolav1.CreateSessionRequest{
			Game: asked.Game, Seats: asked.Seats, Seed: asked.Seed, Private: asked.Private, RequestId: asked.RequestID,
		}
		if asked.Options != nil {
			request.Options = &tavolav1.Options{}
			must(proto.Unmarshal(asked.Options, request.Options))
		}
		host, err := client.Create(ctx, request)
		if err != nil {
			return nil, err
		}
		return answer{
			"session_id": host.SessionID, "host_token": string(host.Token), "join_token": string(host.JoinToken),
		}, nil
	case "join":
		joined, err := client.Join(tavola.Authorize(ctx, asked.Token), &tavolav1.JoinSessionRequest{
			SessionId: asked.SessionID, Seat: asked.Seat, RequestId: asked.RequestID,
		})
		if err != nil {
			return nil, err
		}
		return answer{"seat": joined.Number, "seat_token": string(joined.Token)}, nil
	case "add_bot":
		given, err := client.Host(asked.SessionID, asked.HostToken).AddBot(ctx, &tavolav1.AddBotRequest{
			Bot: asked.Bot, Seat: asked.Seat, RequestId: asked.RequestID,
		})
		return answer{"seat": given}, err
	case "session":
		session, err := client.Session(tavola.Authorize(ctx, asked.Token), asked.SessionID)
		return packed("session", session, err)
	case "observe":
		seen, err := seat.Observe(ctx)
		return packed("observation", seen, err)
	case "submit":
		chosen := tavola.ByID(asked.ActionID)
		if asked.Action != nil {
			action := &tavolav1.Action{}
			must(proto.Unmarshal(asked.Action, action))
			chosen = tavola.ByMeaning(action)
		}
		reply, err := seat.Submit(ctx, asked.DecisionID, chosen)
		return packed("reply", reply, err)
	case "watch":
		return watch(asked, &seat.Viewer)
	case "play":
		outcome, err := seat.Play(ctx, func(_ context.Context, update *tavolav1.Update) (tavola.Answer, error) {
			say(asked, "asked", bytes(update))
			input.Scan()
			return tavola.ByID(read().Answer), nil
		})
		return packed("outcome", outcome, err)
	case "leave":
		session, err := seat.Leave(ctx)
		return packed("session", session, err)
	case "replay":
		replay, err := client.Replay(
			tavola.Authorize(ctx, asked.Token), &tavolav1.GetReplayRequest{SessionId: asked.SessionID})
		return packed("replay", replay, err)
	}
	return nil, errors.New("no such command: " + asked.Do)
}

// watch follows a session, up to a version or to the end.
func watch(asked *line, viewer *tavola.Viewer) (answer, error) {
	updates := viewer.Watch(ctx)
	if asked.FromVersion != nil {
		updates = viewer.WatchFrom(ctx, *asked.FromVersion)
	}
	for update, err := range updates {
		if err != nil {
			return nil, err
		}
		say(asked, "update", bytes(update))
		if asked.StopAt != nil && update.Version >= *asked.StopAt {
			break
		}
	}
	return answer{}, nil
}

func packed(name string, message proto.Message, err error) (answer, error) {
	return answer{name: bytes(message)}, err
}

func failure(err error) answer {
	var refused *tavola.Error
	if !errors.As(err, &refused) {
		return answer{"code": 2, "message": err.Error()}
	}
	violations := []map[string]string{}
	for _, each := range refused.Violations {
		violations = append(violations, map[string]string{"field": each.Field, "description": each.Description})
	}
	return answer{
		"code": int(refused.Code), "reason": string(refused.Reason), "message": refused.Message,
		"metadata": refused.Metadata, "violations": violations,
	}
}

func read() *line {
	asked := &line{}
	must(json.Unmarshal(input.Bytes(), asked))
	return asked
}

func say(asked *line, name string, value any) {
	must(output.Encode(answer{"id": asked.ID, name: value}))
}

// bytes returns a message as the protocol carries it: JSON writes bytes in base64.
func bytes(message proto.Message) []byte {
	said, err := proto.Marshal(message)
	must(err)
	return said
}

func deref(seat *uint32) uint32 {
	if seat == nil {
		return 0
	}
	return *seat
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
