package tavola_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"

	tavola "tavola.example/tavola"
	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

func gameIDs(t *testing.T, client *tavola.Client) (ids []string) {
	t.Helper()
	games, err := client.Games(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, game := range games {
		ids = append(ids, game.Game)
	}
	return ids
}

func TestAllPagesOfTheCatalog(t *testing.T) {
	checkEqual(t, "games", gameIDs(t, connect(t, newFake(t).address)), []string{"first", "second", "third"})
}

func TestTheURLThatTheServerPrintsIsAnAddress(t *testing.T) {
	for _, form := range []string{"http://%s", "http://%s/", "%s"} {
		gameIDs(t, connect(t, fmt.Sprintf(form, newFake(t).address)))
	}
}

func TestWhatIsNoAddressIsRefused(t *testing.T) {
	for address, want := range map[string]string{
		"":                          "HOST:PORT",
		"localhost":                 "HOST:PORT",
		":50051":                    "a host and a port",
		"localhost:":                "a host and a port",
		"ftp://localhost:50051":     "http or https",
		"http://localhost:50051/v1": "a host and a port alone",
		"http://me@localhost:50051": "a host and a port alone",
		"http://:50051":             "a host and a port",
		"http://local host":         "invalid character",
	} {
		if _, err := tavola.Connect(address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", address, err)
		}
	}
}

// certify returns a certificate of 127.0.0.1, and what to trust to trust it.
func certify(t *testing.T) (tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	trusted.AddCert(parsed)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, trusted
}

func TestTLS(t *testing.T) {
	certificate, trusted := certify(t)
	fake := newFake(t, grpc.Creds(credentials.NewServerTLSFromCert(&certificate)))
	trust := tavola.WithTLS(&tls.Config{RootCAs: trusted})
	for _, address := range []string{fake.address, "https://" + fake.address} {
		gameIDs(t, connect(t, address, trust))
	}
	for name, client := range map[string]*tavola.Client{
		"the roots of the system": connect(t, "https://"+fake.address),
		"the same, asked for":     connect(t, fake.address, tavola.WithTLS(nil)),
		"no TLS":                  connect(t, fake.address),
	} {
		if _, err := client.Games(t.Context()); err == nil || asError(t, err).Code != codes.Unavailable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnAPIKeyGoesWithEveryCall(t *testing.T) {
	fake := newFake(t)
	client := connect(t, fake.address, tavola.WithAPIKey("our key"))
	gameIDs(t, client)
	checkEqual(t, "key of a call", fake.metadata.Get("x-api-key"), []string{"our key"})
	seat := client.Seat(fakeSession, 0, fakeToken)
	for range seat.Watch(t.Context()) {
		break
	}
	checkEqual(t, "key of a stream", fake.metadata.Get("x-api-key"), []string{"our key"})
	gameIDs(t, connect(t, fake.address))
	checkEqual(t, "no key", fake.metadata.Get("x-api-key"), nil)
}

func TestACallHasADeadline(t *testing.T) {
	fake := newFake(t)
	fake.late = once(1)
	options := []tavola.Option{tavola.WithTimeout(50 * time.Millisecond), tavola.WithPatience(0)}
	seat := fakeSeat(t, fake, options...)
	if _, err := seat.Observe(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := seat.Submit(t.Context(), 1, tavola.ByID(10))
	if failed := asError(t, err); failed.Code != codes.DeadlineExceeded || !failed.Transient() {
		t.Error(err)
	}
}

func TestATokenDoesNotShow(t *testing.T) {
	client := connect(t, newFake(t).address)
	seat, err := client.Join(t.Context(), &tavolav1.JoinSessionRequest{SessionId: fakeSession})
	if err != nil {
		t.Fatal(err)
	}
	if seat.Token != fakeToken || seat.SessionID != fakeSession || seat.Number != 0 {
		t.Errorf("%v %s %v", seat, seat.SessionID, string(seat.Token))
	}
	var logged strings.Builder
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("joined", "token", seat.Token)
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, value := range []any{seat.Token, seat, client.Host(fakeSession, fakeToken)} {
			_, _ = fmt.Fprintf(&logged, form, value)
		}
	}
	for _, hidden := range []string{fakeToken, fmt.Sprintf("%x", fakeToken)} {
		if strings.Contains(logged.String(), hidden) {
			t.Error(logged.String())
		}
	}
}

// TestAuthorizeReplacesAToken: two tokens in one call would be refused.
func TestAuthorizeReplacesAToken(t *testing.T) {
	client := connect(t, newFake(t).address)
	ctx := tavola.Authorize(tavola.Authorize(context.Background(), "another"), fakeToken)
	request := &tavolav1.GetObservationRequest{SessionId: fakeSession}
	if _, err := client.Sessions.GetObservation(ctx, request); err != nil {
		t.Error(err)
	}
}
