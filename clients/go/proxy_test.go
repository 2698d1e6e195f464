package tavola_test

import (
	"io"
	"net"
	"sync"
	"testing"
)

// A proxy is a way to a server that can be cut, fall silent, or lose replies.
type proxy struct {
	address string
	server  string

	mutex       sync.Mutex
	connections []net.Conn
	requests    silence // Of the connections that are open now.
	replies     silence
}

// A silence swallows what goes through the connections that share it, once it has fallen.
type silence struct{ fallen chan struct{} }

func newSilence() silence { return silence{make(chan struct{})} }

func newProxy(t *testing.T, server string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	proxy := &proxy{address: listener.Addr().String(), server: server, requests: newSilence(), replies: newSilence()}
	t.Cleanup(func() {
		_ = listener.Close()
		proxy.cut()
	})
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			proxy.join(client)
		}
	}()
	return proxy
}

func (p *proxy) join(client net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.connections = append(p.connections, client, server)
	go p.requests.copy(server, client)
	go p.replies.copy(client, server)
}

// copy hands on what comes, until one end is closed or the silence has fallen.
func (s silence) copy(to, from net.Conn) {
	buffer := make([]byte, 4096)
	for {
		n, err := from.Read(buffer)
		select {
		case <-s.fallen:
			_, _ = io.Copy(io.Discard, from)
			return
		default:
		}
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			_ = to.Close()
			_ = from.Close()
			return
		}
	}
}

// cut breaks all connections that are open.
func (p *proxy) cut() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, connection := range p.connections {
		_ = connection.Close()
	}
	p.connections = nil
}

// hush lets nothing more through the connections that are open, and keeps them so. New ones work.
func (p *proxy) hush() {
	p.loseReplies()
	p.mutex.Lock()
	defer p.mutex.Unlock()
	close(p.requests.fallen)
	p.requests = newSilence()
}

// loseReplies lets nothing more come back through the connections that are open. New ones work.
func (p *proxy) loseReplies() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	close(p.replies.fallen)
	p.replies = newSilence()
}
