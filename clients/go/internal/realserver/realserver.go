// Package realserver runs Tavola servers for tests: the binary that the variable TAVOLA_SERVER_BINARY names.
package realserver

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	variable = "TAVOLA_SERVER_BINARY"
	ready    = "listening on http://"
)

// A Server is a running server process.
type Server struct {
	// Address is where it listens: HOST:PORT.
	Address string

	process *os.Process
	ended   chan struct{} // Closed once the process has ended.
	failure error         // How it ended. To be read when it has.
}

// Start runs a server with these flags until the end of the test: on a free port and with its sessions in memory, if
// they do not say otherwise. Without a binary it skips the test or, where the variable CI is set, fails it.
func Start(t testing.TB, flags ...string) *Server {
	t.Helper()
	command := exec.Command(binary(t), flags...)
	command.Dir = t.TempDir()
	command.Stderr = os.Stderr
	own := func(variable string) bool { return strings.HasPrefix(variable, "TAVOLA_") }
	command.Env = append(slices.DeleteFunc(os.Environ(), own),
		"TAVOLA_LISTEN=127.0.0.1:0", "TAVOLA_STORE=memory", "TAVOLA_LOG=error")
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	server := &Server{process: command.Process, ended: make(chan struct{})}
	go func() {
		defer close(server.ended)
		server.failure = command.Wait()
	}()
	t.Cleanup(server.Kill)
	address, found := strings.CutPrefix(strings.TrimSpace(line), ready)
	if !found {
		t.Fatalf("the server says %q rather than where it listens: %v", line, err)
	}
	server.Address = address
	return server
}

// Kill ends the server without a warning. Nothing happens if it has ended.
func (s *Server) Kill() {
	_ = s.process.Kill()
	<-s.ended
}

// Terminate asks the server to end, and waits until it has.
func (s *Server) Terminate(t testing.TB) {
	t.Helper()
	if err := s.process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	select {
	case <-s.ended:
		if s.failure != nil {
			t.Error(s.failure)
		}
	case <-time.After(30 * time.Second):
		t.Error("the server does not end")
	}
}

func binary(t testing.TB) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		const reason = "needs " + variable + ", the path of a server's binary"
		if os.Getenv("CI") != "" {
			t.Fatal(reason)
		}
		t.Skip(reason)
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return absolute
}
