package tavola_test

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	tavola "tavola.example/tavola"
	"tavola.example/tavola/internal/realserver"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// atRandom answers with any legal action, in either view.
func atRandom(_ context.Context, update *tavolav1.Update) (tavola.Answer, error) {
	ids := slices.Clone(update.LegalActionIds)
	for _, action := range update.LegalActions {
		ids = append(ids, action.GetActionId())
	}
	return tavola.ByID(ids[rand.IntN(len(ids))]), nil
}

func create(t *testing.T, client *tavola.Client, request *tavolav1.CreateSessionRequest) *tavola.Host {
	t.Helper()
	host, err := client.Create(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	return host
}

func join(t *testing.T, host *tavola.Host) *tavola.Seat {
	t.Helper()
	seat, err := host.Join(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return seat
}

func session(t *testing.T, client *tavola.Client, id string) *tavolav1.Session {
	t.Helper()
	session, err := client.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func addBot(t *testing.T, host *tavola.Host, request *tavolav1.AddBotRequest) {
	t.Helper()
	seat, err := host.AddBot(t.Context(), request)
	if err != nil || request.Seat != nil && seat != request.GetSeat() {
		t.Fatal(seat, err)
	}
}

// againstABot returns a seat in a game of Santorini against a house bot.
func againstABot(t *testing.T, client *tavola.Client) *tavola.Seat {
	t.Helper()
	host := create(t, client, &tavolav1.CreateSessionRequest{Game: "santorini"})
	seat := join(t, host)
	addBot(t, host, &tavolav1.AddBotRequest{Bot: "random"})
	return seat
}

// checkOutcome checks that a result is what the finished session says of itself.
func checkOutcome(t *testing.T, outcome *tavolav1.Outcome, session *tavolav1.Session) {
	t.Helper()
	finished := session.Status == tavolav1.SessionStatus_SESSION_STATUS_FINISHED
	if !finished || !proto.Equal(outcome, session.Outcome) || len(outcome.GetReturns()) != len(session.Seats) {
		t.Errorf("%v of %v", outcome, session)
	}
}

// playAll plays a session with a policy on each seat and returns its result.
func playAll(t *testing.T, client *tavola.Client, host *tavola.Host) *tavolav1.Outcome {
	t.Helper()
	outcomes := make([]*tavolav1.Outcome, len(session(t, client, host.SessionID).Seats))
	seats := make([]*tavola.Seat, len(outcomes))
	for i := range seats {
		seats[i] = join(t, host)
	}
	var players sync.WaitGroup
	for i, seat := range seats {
		players.Go(func() {
			var err error
			if outcomes[i], err = seat.Play(t.Context(), atRandom); err != nil {
				t.Error(err)
			}
		})
	}
	players.Wait()
	for _, outcome := range outcomes {
		checkOutcome(t, outcome, session(t, client, host.SessionID))
	}
	return outcomes[0]
}

// TestWholeGames plays every game of the server with the fewest and with many seats: bots against each other, and
// against each house bot in both views.
func TestWholeGames(t *testing.T) {
	t.Parallel()
	client := connect(t, realserver.Start(t).Address)
	games, err := client.Games(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(games) < 5 {
		t.Errorf("%d games", len(games))
	}
	for _, game := range games {
		t.Run(game.Game, func(t *testing.T) {
			most := min(game.SeatsMax, 7) // Eight players of Citadels would need an option.
			for _, seats := range slices.Compact([]uint32{game.SeatsMin, most}) {
				request := &tavolav1.CreateSessionRequest{Game: game.Game, Seats: proto.Uint32(seats)}
				playAll(t, client, create(t, client, request))
			}
			for i, bot := range game.Bots {
				host := create(t, client, &tavolav1.CreateSessionRequest{Game: game.Game})
				seat := join(t, host)
				for _, other := range session(t, client, host.SessionID).Seats[1:] {
					addBot(t, host, &tavolav1.AddBotRequest{Bot: bot, Seat: other.Seat})
				}
				seat.View = []tavolav1.View{tavolav1.View_VIEW_FULL, tavolav1.View_VIEW_LEAN}[i%2]
				outcome, err := seat.Play(t.Context(), atRandom)
				if err != nil {
					t.Fatal(err)
				}
				checkOutcome(t, outcome, session(t, client, host.SessionID))
			}
		})
	}
}

// watchAll returns the updates of a session, from a version on if one is given.
func watchAll(t *testing.T, viewer *tavola.Viewer, from ...uint64) (updates []*tavolav1.Update) {
	t.Helper()
	stream := viewer.Watch(t.Context())
	if len(from) > 0 {
		stream = viewer.WatchFrom(t.Context(), from[0])
	}
	for update, err := range stream {
		if err != nil {
			t.Error(err)
			break
		}
		updates = append(updates, update)
	}
	return updates
}

// TestAStreamIsCutAndResumed cuts the connection again and again while a game is played and watched: nobody misses an
// update, and no answer counts twice.
func TestAStreamIsCutAndResumed(t *testing.T) {
	t.Parallel()
	// Whoever watches is to see every version, however far behind while the connection comes back.
	server := realserver.Start(t, "--watcher-lag-max=4096")
	direct := connect(t, server.Address)
	proxy := newProxy(t, server.Address)
	client := connect(t, proxy.address)
	seat := againstABot(t, client)

	var updates []*tavolav1.Update
	var watcher sync.WaitGroup
	watcher.Go(func() { updates = watchAll(t, client.Spectator(seat.SessionID), 1) })
	asked := 0
	cuts := 0
	outcome, err := seat.Play(t.Context(), func(ctx context.Context, update *tavolav1.Update) (tavola.Answer, error) {
		if asked++; asked%5 == 0 {
			cuts++
			proxy.cut()
		}
		return atRandom(ctx, update)
	})
	if err != nil {
		t.Fatal(err)
	}
	if cuts == 0 {
		t.Error("the game was too short to be cut")
	}
	checkOutcome(t, outcome, session(t, direct, seat.SessionID))

	whole := watchAll(t, direct.Spectator(seat.SessionID), 1)
	watcher.Wait()
	if len(updates) != len(whole) {
		t.Fatalf("%d updates, and %d without a cut", len(updates), len(whole))
	}
	for i, update := range updates {
		if update.Version != whole[i].Version {
			t.Errorf("update %d has version %d, and %d without a cut", i, update.Version, whole[i].Version)
		}
	}
	last := whole[len(whole)-1].Version
	if rest := watchAll(t, direct.Spectator(seat.SessionID), last); len(rest) != 0 {
		t.Error(rest)
	}
}

// TestASilentConnectionIsGivenUp plays on after a connection has died without a word, which only pings can notice.
func TestASilentConnectionIsGivenUp(t *testing.T) {
	t.Parallel()
	server := realserver.Start(t)
	proxy := newProxy(t, server.Address)
	client := connect(t, proxy.address, tavola.WithTimeout(time.Second), tavola.WithPatience(time.Minute))
	seat := againstABot(t, client)
	asked := 0
	outcome, err := seat.Play(t.Context(), func(ctx context.Context, update *tavolav1.Update) (tavola.Answer, error) {
		if asked++; asked == 3 {
			proxy.hush()
		}
		return atRandom(ctx, update)
	})
	if err != nil {
		t.Fatal(err)
	}
	checkOutcome(t, outcome, session(t, client, seat.SessionID))
}

// TestTheServerRestartsInMidGame kills the server while a game is played: nothing that it has acknowledged is lost, and
// the bot plays on.
func TestTheServerRestartsInMidGame(t *testing.T) {
	t.Parallel()
	keep := []string{"--store", "sqlite", "--data", t.TempDir()}
	server := realserver.Start(t, keep...)
	seat := againstABot(t, connect(t, server.Address, tavola.WithPatience(time.Minute)))
	var asked []uint64
	outcome, err := seat.Play(t.Context(), func(ctx context.Context, update *tavolav1.Update) (tavola.Answer, error) {
		asked = append(asked, update.Decision.DecisionId)
		if len(asked) == 3 || len(asked) == 6 {
			server.Kill()
			server = realserver.Start(t, append([]string{"--listen", server.Address}, keep...)...)
		}
		return atRandom(ctx, update)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(asked) < 6 || !slices.IsSorted(asked) || len(slices.Compact(asked)) != len(asked) {
		t.Errorf("asked for the decisions %v", asked)
	}
	checkOutcome(t, outcome, session(t, connect(t, server.Address), seat.SessionID))
}

// run runs a command in a folder and returns what it prints.
func run(t *testing.T, folder, name string, arguments ...string) string {
	t.Helper()
	command := exec.Command(name, arguments...)
	command.Dir = folder
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, arguments, err, output)
	}
	return string(output)
}

// section returns the first block of a language in README.md.
func section(t *testing.T, language string) string {
	t.Helper()
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, found := strings.Cut(string(readme), "```"+language+"\n")
	block, _, closed := strings.Cut(block, "```")
	if !found || !closed {
		t.Fatalf("README.md has no block of %s", language)
	}
	return block
}

// TestTheWayOfTheREADME goes from an empty folder to a finished game by what README.md says, and runs the bot that it
// shows.
func TestTheWayOfTheREADME(t *testing.T) {
	t.Parallel()
	address := realserver.Start(t).Address
	module, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	commands := strings.ReplaceAll(section(t, "sh"), "../tavola/clients/go", module)
	folder := t.TempDir()
	for line := range strings.Lines(commands) {
		line, _, _ = strings.Cut(line, "#")
		if strings.HasPrefix(line, "go run ") {
			line = strings.TrimSpace(line) + " -address " + address
		}
		if printed := run(t, folder, "sh", "-c", line); strings.HasPrefix(line, "go run ") &&
			!strings.HasPrefix(printed, "santorini as seat 0: winners ") {
			t.Error(printed)
		}
	}
	bot := strings.ReplaceAll(section(t, "go"), "localhost:50051", address)
	if err := os.WriteFile(filepath.Join(folder, "main.go"), []byte(bot), 0o600); err != nil {
		t.Fatal(err)
	}
	if printed := run(t, folder, "go", "run", "."); printed != "won\n" && printed != "lost\n" {
		t.Error(printed)
	}
}
