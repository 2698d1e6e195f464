package tavola

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	tavolav1 "tavola.example/tavola/proto/tavola/v1"
)

// Connect returns a client of the server at an address: HOST:PORT, or the URL that the server prints.
//
// The connection is made with the first call. It uses TLS if the address begins with https:// or if [WithTLS] is given.
func Connect(address string, options ...Option) (*Client, error) {
	chosen := settings{timeout: 20 * time.Second, patience: time.Minute}
	for _, option := range options {
		option(&chosen)
	}
	target, secure, err := parse(address)
	if err != nil {
		return nil, err
	}
	if secure && chosen.tls == nil {
		chosen.tls = &tls.Config{}
	}
	connection, err := grpc.NewClient(target, chosen.dialOptions()...)
	if err != nil {
		return nil, fmt.Errorf("address %q: %w", address, err)
	}
	return &Client{
		Catalog:    tavolav1.NewCatalogServiceClient(connection),
		Sessions:   tavolav1.NewSessionServiceClient(connection),
		connection: connection,
		patience:   chosen.patience,
	}, nil
}

// An Option changes how [Connect] connects.
type Option func(*settings)

// WithTLS uses TLS with this configuration: with nil, the roots of the system decide whom to trust.
func WithTLS(config *tls.Config) Option {
	if config == nil {
		config = &tls.Config{}
	}
	return func(s *settings) { s.tls = config }
}

// WithAPIKey sends an API key of the server with every call, as the metadata x-api-key.
func WithAPIKey(key string) Option {
	return func(s *settings) { s.apiKey = key }
}

// WithTimeout ends each attempt of a call after this time, 20 s unless it is given, if the context does not do so
// earlier; 0: never. Streams have no end of their own.
func WithTimeout(timeout time.Duration) Option {
	return func(s *settings) { s.timeout = timeout }
}

// WithPatience says for how long Create, Join, AddBot, Submit, Watch and Play go on trying while the server cannot be
// reached, a minute unless it is given; 0: they do not try again.
func WithPatience(limit time.Duration) Option {
	return func(s *settings) { s.patience = limit }
}

// WithDialOptions adds options of gRPC.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(s *settings) { s.dial = append(s.dial, options...) }
}

type settings struct {
	tls      *tls.Config
	apiKey   string
	timeout  time.Duration
	patience time.Duration
	dial     []grpc.DialOption
}

func (s *settings) dialOptions() []grpc.DialOption {
	transport := insecure.NewCredentials()
	if s.tls != nil {
		transport = credentials.NewTLS(s.tls)
	}
	return append([]grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		// A stream on a dead connection ends within 40 s rather than never.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
		// After a restart of the server a client is back in seconds rather than in up to two minutes.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 200 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 2 * time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
		grpc.WithChainUnaryInterceptor(s.call),
		grpc.WithChainStreamInterceptor(s.stream),
	}, s.dial...)
}

// call adds to each call without a stream what the settings say.
func (s *settings) call(
	ctx context.Context, method string, request, reply any,
	connection *grpc.ClientConn, invoke grpc.UnaryInvoker, options ...grpc.CallOption,
) error {
	inner := s.withAPIKey(ctx)
	if s.timeout > 0 {
		var cancel context.CancelFunc
		inner, cancel = context.WithTimeout(inner, s.timeout)
		defer cancel()
	}
	return typed(ctx, invoke(inner, method, request, reply, connection, options...))
}

// stream adds to each stream what the settings say.
func (s *settings) stream(
	ctx context.Context, description *grpc.StreamDesc, connection *grpc.ClientConn,
	method string, open grpc.Streamer, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := open(s.withAPIKey(ctx), description, connection, method, options...)
	if err != nil {
		return nil, typed(ctx, err)
	}
	return typedStream{stream}, nil
}

func (s *settings) withAPIKey(ctx context.Context) context.Context {
	if s.apiKey == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, "x-api-key", s.apiKey)
}

// A typedStream is a stream with errors of this package.
type typedStream struct{ grpc.ClientStream }

func (s typedStream) Header() (metadata.MD, error) {
	header, err := s.ClientStream.Header()
	return header, s.typed(err)
}

func (s typedStream) CloseSend() error { return s.typed(s.ClientStream.CloseSend()) }

func (s typedStream) SendMsg(message any) error { return s.typed(s.ClientStream.SendMsg(message)) }

func (s typedStream) RecvMsg(message any) error { return s.typed(s.ClientStream.RecvMsg(message)) }

func (s typedStream) typed(err error) error {
	if errors.Is(err, io.EOF) {
		return err // No failure: the stream has ended.
	}
	return typed(s.Context(), err)
}

// parse returns the target of an address, and whether it asks for TLS.
func parse(address string) (target string, secure bool, err error) {
	host, port := "", ""
	if strings.Contains(address, "://") {
		parsed, err := url.Parse(address)
		if err != nil {
			return "", false, fmt.Errorf("address: %w", err)
		}
		host, port = parsed.Hostname(), parsed.Port()
		switch parsed.Scheme {
		case "http":
			port = cmp.Or(port, "80")
		case "https":
			secure, port = true, cmp.Or(port, "443")
		default:
			return "", false, fmt.Errorf("address %q: its scheme must be http or https", address)
		}
		if strings.Trim(parsed.Path, "/") != "" || parsed.RawQuery != "" || parsed.Fragment != "" || parsed.User != nil {
			return "", false, fmt.Errorf("address %q: must be a URL of a host and a port alone", address)
		}
	} else if host, port, err = net.SplitHostPort(address); err != nil {
		return "", false, fmt.Errorf("address %q: must be HOST:PORT or a URL: %w", address, err)
	}
	if host == "" || port == "" {
		return "", false, fmt.Errorf("address %q: must name a host and a port", address)
	}
	return "dns:///" + net.JoinHostPort(host, port), secure, nil
}
