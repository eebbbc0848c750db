package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/tools/clientcmd/api"
)

func (s *stage) get(c *client) string {
	var body strings.Builder
	err := c.get(s.t.Context(), "/version", func(from io.Reader) error {
		_, err := io.Copy(&body, from)
		return err
	})
	if err != nil {
		return "failed: " + err.Error()
	}
	return body.String()
}

func (s *stage) expect(found, expected any) {
	s.t.Helper()
	if fmt.Sprint(found) != fmt.Sprint(expected) {
		s.t.Errorf("found %v, expected %v", found, expected)
	}
}

func (c *client) counted() string {
	var text strings.Builder
	must(c.metrics.write(&text))
	_, counts, _ := strings.Cut(text.String(), "counter\n")
	return strings.ReplaceAll(strings.TrimSpace(counts), withProxyCallTotal, "")
}

// Else a request may go out by one whose end isn't seen yet.
func (c *client) forgetConnections() {
	utilnet.CloseIdleConnectionsFor(c.current.transport)
}

// KEP-2718/proxy-config
func TestSendsRequestsOfTheAPIServerByTheProxy(t *testing.T) {
	for name, row := range map[string]struct {
		isUnix, isHTTP1, demandsCertificate bool
	}{
		"Unix socket":                    {isUnix: true},
		"Unix socket, HTTP/1.1":          {isUnix: true, isHTTP1: true},
		"Unix socket, mutual TLS":        {isUnix: true, demandsCertificate: true},
		"port":                           {},
		"port, HTTP/1.1":                 {isHTTP1: true},
		"port, mutual TLS, not HTTP/1.1": {demandsCertificate: true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			socket := ""
			if row.isUnix {
				socket = s.path("socket")
			}
			proxy := s.startProxy(socket, row.demandsCertificate)
			s.answerWithStatus(proxy.status)
			protocol := "HTTP/2.0"
			if row.isHTTP1 {
				protocol = "HTTP/1.1"
				s.config.NextProtos = []string{"http/1.1"}
			}
			c := s.client()
			for range 2 {
				s.expect(s.get(c), "GET k8s.example:6443/at/version "+protocol+" Bearer way-in")
			}
			s.expect(len(s.runs()), 1)
			s.expect(c.counted(), `{call_status="no_error",code="0"} 1`)
		})
	}
}

// KEP-2718/lock
func TestHoldsTheLockBeforeThePluginRuns(t *testing.T) {
	s := newStage(t)
	s.answerWithStatus(s.startProxy(s.path("socket"), false).status)
	c := s.client()
	s.get(c)
	runs := s.runs()
	s.expect(len(runs), 1)
	s.expect(runs[0].IsFree, false)
	s.expect(runs[0].Info.Spec.LockFilePath, c.lock.path())
	s.expect(runs[0].Info.Spec.Cluster.Server, "https://k8s.example:6443/at")
	c.close()
	if _, err := os.Stat(c.lock.path()); !os.IsNotExist(err) {
		t.Error("its own lock file is left behind")
	}
}

// KEP-2718/two-kinds
func TestThePluginMayBeTheProxyItself(t *testing.T) {
	s := newStage(t)
	own := issue(nil, "proxy")
	s.answerWithStatus(map[string]any{
		"token":                 "way-in",
		"clientCertificateData": own.certificate,
		"clientKeyData":         own.key,
		"proxyConfig":           map[string]any{"url": "unix://" + s.path("socket"), "certificate-authority-data": []byte(own.certificate)},
	})
	s.config.ExecProvider.Env = append(s.config.ExecProvider.Env, api.ExecEnvVar{Name: socketVariable, Value: s.path("socket")})
	c := s.client()
	s.expect(s.get(c), "GET k8s.example:6443/at/version HTTP/2.0 Bearer way-in")
	s.expect(c.counted(), `{call_status="no_error",code="0"} 1`)
	c.close()
	for {
		if _, err := os.Stat(s.path("socket")); os.IsNotExist(err) {
			return
		}
	}
}

// KEP-2718/run-again
func TestRunsThePluginAgainOnceWhereNobodyListens(t *testing.T) {
	s := newStage(t)
	first := s.startProxy(s.path("first"), false)
	s.answerWithStatus(first.status)
	c := s.client()
	s.get(c)
	first.Close()
	c.forgetConnections()
	second := s.startProxy("", false)
	s.answerWithStatus(second.status)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { s.expect(s.get(c), "GET k8s.example:6443/at/version HTTP/2.0 Bearer way-in") })
	}
	all.Wait()
	s.expect(len(s.runs()), 2)
	s.expect(second.seen, 20)
	// Refused connections count as well as sockets that are gone.
	second.Close()
	c.forgetConnections()
	s.answerWithStatus(s.startProxy(s.path("third"), false).status)
	s.expect(s.get(c), "GET k8s.example:6443/at/version HTTP/2.0 Bearer way-in")
}

func TestGivesUpWhereThePluginsProxyIsNeverThere(t *testing.T) {
	s := newStage(t)
	proxy := s.startProxy(s.path("socket"), false)
	proxy.Close()
	s.answerWithStatus(proxy.status)
	if text := s.get(s.client()); !strings.Contains(text, "the plugin's proxy has ended") {
		t.Error(text)
	}
	s.expect(len(s.runs()), 2)
}

func TestSendsABodyTwiceWhereItCan(t *testing.T) {
	s := newStage(t)
	first := s.startProxy(s.path("first"), false)
	first.Close()
	s.answerWithStatus(first.status)
	c := s.client()
	_, err := c.access(t.Context(), nil)
	must(err)
	second := s.startProxy(s.path("second"), false)
	second.answer = func(response http.ResponseWriter, request *http.Request) { io.Copy(response, request.Body) }
	s.answerWithStatus(second.status)
	response, err := (&http.Client{Transport: c}).Post(s.config.Host, "text/plain", strings.NewReader("a body"))
	must(err)
	text, _ := io.ReadAll(response.Body)
	s.expect(string(text), "a body")
}

func TestTakesAPlainCredential(t *testing.T) {
	s := newStage(t)
	server := httptest.NewTLSServer(http.HandlerFunc(echo))
	defer server.Close()
	s.config.Host = server.URL
	s.config.CAData = []byte(pemOf(server.Certificate().Raw))
	s.answerWithStatus(map[string]any{"token": "plain"})
	c := s.client()
	s.expect(s.get(c), "GET "+server.Listener.Addr().String()+"/version HTTP/1.1 Bearer plain")
	s.expect(c.counted(), "")
}

func TestRunsThePluginAgainAfterA401(t *testing.T) {
	s := newStage(t)
	proxy := s.startProxy(s.path("socket"), false)
	s.answerWithStatus(proxy.status)
	c := s.client()
	proxy.answer = func(response http.ResponseWriter, _ *http.Request) {
		http.Error(response, "ended", http.StatusUnauthorized)
	}
	s.expect(s.get(c), "failed: 401 Unauthorized: ended\n")
	s.expect(len(s.runs()), 1)
	proxy.answer = echo
	s.get(c)
	s.expect(len(s.runs()), 2)
}

// KEP-2718/metric
func TestCountsAsClientGoDoes(t *testing.T) {
	for name, row := range map[string]struct{ answer, command, counted, said string }{
		"fails":             {"exit 7", "", `{call_status="plugin_execution_error",code="7"} 1`, "failed with exit code 7"},
		"isn't there":       {"", "/no/such/plugin", `{call_status="plugin_not_found_error",code="1"} 1`, "no such file"},
		"isn't on PATH":     {"", "no-such-plugin", `{call_status="plugin_not_found_error",code="1"} 1`, "executable no-such-plugin not found"},
		"answers nonsense":  {"hello", "", `{call_status="client_internal_error",code="1"} 1`, "decoding stdout"},
		"has another kind":  {`{"apiVersion":"v1","kind":"Pod"}`, "", `{call_status="client_internal_error",code="1"} 1`, "returned version v1"},
		"has no status":     {`{"apiVersion":"` + apiVersion + `","kind":"ExecCredential"}`, "", `{call_status="client_internal_error",code="1"} 1`, "status field"},
		"has no credential": {`{"apiVersion":"` + apiVersion + `","kind":"ExecCredential","status":{}}`, "", `{call_status="client_internal_error",code="1"} 1`, "token or cert/key pair"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			s.answerWith(row.answer)
			if row.command != "" {
				s.config.ExecProvider.Command = row.command
			}
			c := s.client()
			if text := s.get(c); !strings.Contains(text, row.said) {
				t.Error(text)
			}
			s.expect(c.counted(), row.counted)
		})
	}
}

func TestRefusesAnotherProxy(t *testing.T) {
	for name, change := range map[string]func(config map[string]any){
		"another CA": func(config map[string]any) {
			config["certificate-authority-data"] = []byte(issue(nil, "other").certificate)
		},
		"no CA":             func(config map[string]any) { delete(config, "certificate-authority-data") },
		"no TLS":            func(config map[string]any) { config["url"] = "http://127.0.0.1:80" },
		"a relative socket": func(config map[string]any) { config["url"] = "unix:socket" },
		"a socket's host":   func(config map[string]any) { config["url"] = "unix://host/socket" },
		"no port":           func(config map[string]any) { config["url"] = "https://127.0.0.1" },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			proxy := s.startProxy(s.path("socket"), false)
			change(proxy.status["proxyConfig"].(map[string]any))
			s.answerWithStatus(proxy.status)
			if text := s.get(s.client()); !strings.HasPrefix(text, "failed: ") {
				t.Error(text)
			}
			s.expect(proxy.seen, 0)
			s.expect(len(s.runs()), 1)
		})
	}
}

func TestExecutesOverWebSocket(t *testing.T) {
	s := newStage(t)
	proxy := s.startProxy(s.path("socket"), false)
	proxy.answer = command
	s.answerWithStatus(proxy.status)
	var output, problems bytes.Buffer
	code, err := s.client().execute(t.Context(), "/exec?command=a&command=b", false,
		streams{input: strings.NewReader("hello"), output: &output, errors: &problems})
	must(err)
	s.expect([]any{code, output.String(), problems.String()}, []any{3, "hello", "Bearer way-in /at/exec?command=a&command=b"})
}

func TestExecutesAgainWhereNobodyListens(t *testing.T) {
	for name, isSPDY := range map[string]bool{"WebSocket": false, "SPDY": true} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t)
			proxy := s.startProxy(s.path("socket"), false)
			proxy.Close()
			s.answerWithStatus(proxy.status)
			var gone *nobodyListens
			_, err := s.client().execute(t.Context(), "/exec", isSPDY, streams{})
			s.expect(errors.As(err, &gone), true)
			s.expect(len(s.runs()), 2)
		})
	}
}
