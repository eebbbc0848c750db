package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
)

// Where the plugin's proxy listens.
type listener struct {
	url              string
	network, address string
	// Someone was there at least once.
	wasReached atomic.Bool
}

// Nobody listens there: the proxy has ended, and nothing of the request was sent.
type nobodyListens struct{ cause error }

func (e *nobodyListens) Error() string { return "the plugin's proxy has ended: " + e.cause.Error() }
func (e *nobodyListens) Unwrap() error { return e.cause }

// The KEP says no more of the URL than that there is one. Ours is unix:///PATH or https://HOST:PORT.
func newListener(text string) (*listener, error) {
	at, err := url.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("proxyConfig.url: %w", err)
	}
	switch {
	case at.Scheme == "unix" && at.Host == "" && at.Path != "":
		return &listener{url: text, network: "unix", address: at.Path}, nil
	case at.Scheme == "https" && at.Port() != "":
		return &listener{url: text, network: "tcp", address: at.Host}, nil
	}
	return nil, fmt.Errorf("proxyConfig.url is %q, and not unix:///PATH or https://HOST:PORT", text)
}

// Connects to the proxy, whatever address is asked for: each connection that would be to the API server is one to it.
func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	dialer := net.Dialer{Timeout: 30 * time.Second}
	connection, err := dialer.DialContext(ctx, l.network, l.address)
	switch {
	case err == nil:
		l.wasReached.Store(true)
	case errors.Is(err, syscall.ECONNREFUSED), l.network == "unix" && errors.Is(err, fs.ErrNotExist):
		err = &nobodyListens{err}
	}
	return connection, err
}

// The configuration of a client that sends its requests by the proxy. They are as for the API server: its address stays
// in the URL and in Host. It is the connection that is another: TLS under the plugin's CA alone (the system's CAs don't
// count), with 127.0.0.1 as the proxy's name on both kinds of listener, and the plugin's client certificate where it gave
// one. The user's HTTPS_PROXY and the cluster's proxy-url are the proxy's business, for it is what reaches the cluster.
func (l *listener) configure(config *rest.Config, status *execCredentialStatus) (*rest.Config, error) {
	if len(status.ProxyConfig.CertificateAuthorityData) == 0 {
		return nil, errors.New("proxyConfig has no certificate-authority-data")
	}
	proxied := rest.CopyConfig(config)
	proxied.TLSClientConfig = rest.TLSClientConfig{
		ServerName: "127.0.0.1",
		CAData:     status.ProxyConfig.CertificateAuthorityData,
		CertData:   []byte(status.ClientCertificateData),
		KeyData:    []byte(status.ClientKeyData),
		NextProtos: config.NextProtos,
	}
	proxied.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil }
	proxied.Dial = l.dial
	return proxied, nil
}
