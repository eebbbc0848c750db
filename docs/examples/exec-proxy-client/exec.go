package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gorilla/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	httpstreamspdy "k8s.io/apimachinery/pkg/util/httpstream/spdy"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"
)

// The streams of a command in a pod. An end of input is passed on.
type streams struct {
	input          io.Reader
	output, errors io.Writer
}

// Runs a command in a pod, and gives its exit code. client-go's executors connect by themselves and know no other address
// than the API server's. So for the proxy, SPDY gets its connection here, and WebSocket is spoken here.
func (c *client) execute(ctx context.Context, path string, isSPDY bool, with streams) (code int, err error) {
	address, err := c.address(path)
	if err != nil {
		return 0, err
	}
	to, err := url.Parse(address)
	if err != nil {
		return 0, err
	}
	err = c.use(ctx, func(used *access, _ bool) (err error) {
		switch {
		case used.listener == nil:
			code, err = straight(ctx, used.config, to, isSPDY, with)
		case isSPDY:
			code, err = used.overSPDY(ctx, to, with)
		default:
			code, err = used.overWebSocket(ctx, to, with)
		}
		return err
	})
	return code, err
}

// Without a proxy.
func straight(ctx context.Context, config *rest.Config, to *url.URL, isSPDY bool, with streams) (int, error) {
	executor, err := remotecommand.NewWebSocketExecutor(config, http.MethodGet, to.String())
	if isSPDY {
		executor, err = remotecommand.NewSPDYExecutor(config, http.MethodPost, to)
	}
	if err != nil {
		return 0, err
	}
	return stream(ctx, executor, with)
}

func stream(ctx context.Context, executor remotecommand.Executor, with streams) (int, error) {
	err := executor.StreamWithContext(ctx, remotecommand.StreamOptions{
		Stdin: with.input, Stdout: with.output, Stderr: with.errors,
	})
	var ended exec.CodeExitError
	if errors.As(err, &ended) {
		return ended.Code, nil
	}
	return 0, err
}

func (a *access) overSPDY(ctx context.Context, to *url.URL, with streams) (int, error) {
	tlsConfig, err := rest.TLSConfigFor(a.config)
	if err != nil {
		return 0, err
	}
	// The executor drops the cause of its error.
	var failed error
	connecting := &http.Transport{
		TLSClientConfig: tlsConfig,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			connection, err := a.listener.dial(ctx, network, address)
			failed = err
			return connection, err
		},
	}
	upgrading, err := httpstreamspdy.NewRoundTripperWithConfig(httpstreamspdy.RoundTripperConfig{UpgradeTransport: connecting})
	if err != nil {
		return 0, err
	}
	wrapped, err := rest.HTTPWrappersForConfig(a.config, upgrading)
	if err != nil {
		return 0, err
	}
	executor, err := remotecommand.NewSPDYExecutorForTransports(wrapped, upgrading, http.MethodPost, to)
	if err != nil {
		return 0, err
	}
	code, err := stream(ctx, executor, with)
	if failed != nil {
		err = failed
	}
	return code, err
}

// Channels of v5.channel.k8s.io: the first byte of each message. What a message of channelClose names is at its end.
const (
	channelInput  = 0
	channelOutput = 1
	channelErrors = 2
	channelStatus = 3
	channelClose  = 255
)

func (a *access) overWebSocket(ctx context.Context, to *url.URL, with streams) (int, error) {
	tlsConfig, err := rest.TLSConfigFor(a.config)
	if err != nil {
		return 0, err
	}
	dialer := websocket.Dialer{
		NetDialContext:  a.listener.dial,
		TLSClientConfig: tlsConfig,
		Subprotocols:    []string{"v5.channel.k8s.io"},
	}
	var connection *websocket.Conn
	connecting := roundTripper(func(request *http.Request) (answer *http.Response, err error) {
		request.URL.Scheme = "wss"
		connection, answer, err = dialer.DialContext(request.Context(), request.URL.String(), request.Header)
		return answer, err
	})
	// They set the headers that each request has, the credential's first.
	wrapped, err := rest.HTTPWrappersForConfig(a.config, connecting)
	if err != nil {
		return 0, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, to.String(), nil)
	if err != nil {
		return 0, err
	}
	answer, err := wrapped.RoundTrip(request)
	if errors.Is(err, websocket.ErrBadHandshake) {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 4096))
		return 0, fmt.Errorf("%s: %s", answer.Status, text)
	}
	if err != nil {
		return 0, err
	}
	defer connection.Close()
	defer context.AfterFunc(ctx, func() { connection.Close() })()
	if with.input != nil {
		go sendInput(connection, with.input)
	}
	return receive(connection, with)
}

type roundTripper func(*http.Request) (*http.Response, error)

func (r roundTripper) RoundTrip(request *http.Request) (*http.Response, error) {
	return r(request)
}

func sendInput(connection *websocket.Conn, input io.Reader) {
	piece := make([]byte, 32*1024)
	piece[0] = channelInput
	for {
		count, err := input.Read(piece[1:])
		if count > 0 && connection.WriteMessage(websocket.BinaryMessage, piece[:count+1]) != nil {
			return
		}
		if err != nil {
			connection.WriteMessage(websocket.BinaryMessage, []byte{channelClose, channelInput})
			return
		}
	}
}

func receive(connection *websocket.Conn, with streams) (int, error) {
	for {
		_, message, err := connection.ReadMessage()
		if err != nil {
			return 0, fmt.Errorf("the stream ended before the command: %w", err)
		}
		if len(message) == 0 {
			continue
		}
		switch channel, data := message[0], message[1:]; channel {
		case channelOutput:
			_, err = with.output.Write(data)
		case channelErrors:
			_, err = with.errors.Write(data)
		case channelStatus:
			return exitCode(data)
		}
		if err != nil {
			return 0, err
		}
	}
}

// A Status: Success, or NonZeroExitCode with the code as a cause.
func exitCode(text []byte) (int, error) {
	var status metav1.Status
	if err := json.Unmarshal(text, &status); err != nil {
		return 0, err
	}
	if status.Status == metav1.StatusSuccess {
		return 0, nil
	}
	if status.Details != nil {
		for _, cause := range status.Details.Causes {
			if cause.Type == "ExitCode" {
				return strconv.Atoi(cause.Message)
			}
		}
	}
	return 0, errors.New(status.Message)
}
