// A server whose connections end, and a client that counts what fails of it: the request proxy's and Go's own.
//
//	connection-ends serve CERTIFICATE KEY PROTOCOL GOAWAY_CHANCE CLOSE_AFTER
//	connection-ends ask URL CA TOKEN COUNT PARALLEL METHOD BYTES
//
// serve prints its port. PROTOCOL is h2 or http/1.1. Over HTTP/2 a connection is sent away with this chance at each answer,
// as kube-apiserver's --goaway-chance does it. CLOSE_AFTER: a connection is closed so long after each answer, whatever
// comes meanwhile; 0: never. A line on stdin has it restart: a new server takes the port, and the old one shuts down as
// http.Server does. ask prints a line of JSON: how many failed, and why.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Of a restart, and of a request: what takes longer hangs.
const limit = 30 * time.Second

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	switch os.Args[1] {
	case "serve":
		serve(os.Args[2:])
	case "ask":
		ask(os.Args[2:])
	}
}

func serve(args []string) {
	pair := must(tls.LoadX509KeyPair(args[0], args[1]))
	protocol := args[2]
	chance := must(strconv.ParseFloat(args[3], 64))
	closeAfter := must(time.ParseDuration(args[4]))
	var served atomic.Int64
	answer := func(writer http.ResponseWriter, request *http.Request) {
		io.Copy(io.Discard, request.Body)
		if request.ProtoMajor == 2 && rand.Float64() < chance {
			writer.Header().Set("Connection", "close")
		}
		fmt.Fprintf(writer, "%d\n", served.Add(1))
	}
	start := func(listener net.Listener) *http.Server {
		server := &http.Server{
			Handler:   http.HandlerFunc(answer),
			TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, NextProtos: []string{protocol}},
			ErrorLog:  log.New(io.Discard, "", 0),
		}
		if closeAfter > 0 {
			server.ConnState = func(connection net.Conn, state http.ConnState) {
				if state == http.StateIdle {
					time.AfterFunc(closeAfter, func() { connection.Close() })
				}
			}
		}
		if protocol != "h2" {
			server.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){}
		}
		go server.ServeTLS(listener, "", "")
		return server
	}
	// The socket outlives a server: what connects meanwhile waits for the next one, as behind a load balancer.
	socket := must(net.Listen("tcp", "127.0.0.1:0"))
	accepted := make(chan net.Conn)
	go func() {
		for {
			accepted <- must(socket.Accept())
		}
	}()
	next := func() *turn { return &turn{Listener: socket, accepted: accepted, over: make(chan struct{})} }
	server := start(next())
	fmt.Println(socket.Addr().(*net.TCPAddr).Port)
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		old := server
		server = start(next())
		limited, cancel := context.WithTimeout(context.Background(), limit)
		must(true, old.Shutdown(limited))
		cancel()
		fmt.Println("restarted")
	}
}

// One server's turn at the socket. A copy of it for each one, by net.FileListener, would be blocking for a moment: the
// server before could then not end.
type turn struct {
	net.Listener
	accepted <-chan net.Conn
	over     chan struct{}
	once     sync.Once
}

func (turn *turn) Accept() (net.Conn, error) {
	select {
	case connection := <-turn.accepted:
		return connection, nil
	case <-turn.over:
		return nil, net.ErrClosed
	}
}

func (turn *turn) Close() error {
	turn.once.Do(func() { close(turn.over) })
	return nil
}

func ask(args []string) {
	url, token, method := args[0], args[2], args[5]
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(must(os.ReadFile(args[1])))
	count, parallel := must(strconv.Atoi(args[3])), must(strconv.Atoi(args[4]))
	body := bytes.Repeat([]byte("a"), must(strconv.Atoi(args[6])))
	client := &http.Client{Timeout: limit, Transport: &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: roots},
		ForceAttemptHTTP2:   true,
		MaxIdleConnsPerHost: parallel,
	}}
	var failed, asked atomic.Int64
	var why sync.Map
	var all sync.WaitGroup
	for range parallel {
		all.Go(func() {
			for asked.Add(1) <= int64(count) {
				if err := once(client, method, url, token, body); err != nil {
					failed.Add(1)
					why.Store(err.Error(), true)
				}
			}
		})
	}
	all.Wait()
	said := []string{}
	why.Range(func(text, _ any) bool {
		said = append(said, text.(string))
		return len(said) < 5
	})
	json.NewEncoder(os.Stdout).Encode(map[string]any{"failed": failed.Load(), "why": said})
}

func once(client *http.Client, method, url, token string, body []byte) error {
	request := must(http.NewRequest(method, url, bytes.NewReader(body)))
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != 200 {
		err = fmt.Errorf("%d: %s", response.StatusCode, text)
	}
	return err
}
