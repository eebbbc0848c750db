package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"golang.org/x/sys/unix"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd/api"
)

const apiVersion = "client.authentication.k8s.io/v1"

// The tests' program is the plugin, too, when these are set.
const (
	// A file with what it prints.
	answerVariable = "STUB_ANSWER"
	// A file that gets a line for each run: KUBERNETES_EXEC_INFO, and whether the lock was free.
	logVariable = "STUB_LOG"
	// It listens at this socket itself, and ends when it gets the lock.
	socketVariable = "STUB_SOCKET"
)

func TestMain(m *testing.M) {
	if path := os.Getenv(answerVariable); path != "" {
		os.Exit(stub(path))
	}
	// No request of the tests may go there.
	os.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	os.Exit(m.Run())
}

type pluginRun struct {
	Info   execCredential
	IsFree bool
}

func stub(answerPath string) int {
	var this pluginRun
	must(json.Unmarshal([]byte(os.Getenv("KUBERNETES_EXEC_INFO")), &this.Info))
	file, err := os.Open(this.Info.Spec.LockFilePath)
	must(err)
	this.IsFree = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) == nil
	line, err := json.Marshal(this)
	must(err)
	log, err := os.OpenFile(os.Getenv(logVariable), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	must(err)
	_, err = log.Write(append(line, '\n'))
	must(err)
	answer, err := os.ReadFile(answerPath)
	must(err)
	if socket := os.Getenv(socketVariable); socket != "" {
		// Its certificate and key are in the answer's client certificate, to have them from somewhere.
		var credential execCredential
		must(json.Unmarshal(answer, &credential))
		pair, err := tls.X509KeyPair([]byte(credential.Status.ClientCertificateData), []byte(credential.Status.ClientKeyData))
		must(err)
		listening, err := net.Listen("unix", socket)
		must(err)
		served := &http.Server{Handler: http.HandlerFunc(echo), TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}}}
		go served.ServeTLS(listening, "", "")
		fmt.Print(string(answer))
		must(unix.Flock(int(file.Fd()), unix.LOCK_EX))
		os.Remove(socket)
		return 0
	}
	if strings.HasPrefix(string(answer), "exit ") {
		var code int
		fmt.Sscanf(string(answer), "exit %d", &code)
		return code
	}
	fmt.Print(string(answer))
	return 0
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Says what came: method, host, path, protocol, Authorization.
func echo(response http.ResponseWriter, request *http.Request) {
	fmt.Fprintf(response, "%s %s%s %s %s", request.Method, request.Host, request.URL.Path, request.Proto,
		request.Header.Get("Authorization"))
}

// A user with an exec plugin, which is this program.
type stage struct {
	t      *testing.T
	folder string
	config *rest.Config
}

func newStage(t *testing.T) *stage {
	folder, err := os.MkdirTemp("", "epc-")
	must(err)
	t.Cleanup(func() { os.RemoveAll(folder) })
	t.Setenv("XDG_RUNTIME_DIR", folder)
	s := &stage{t: t, folder: folder}
	s.config = &rest.Config{
		Host: "https://k8s.example:6443/at",
		ExecProvider: &api.ExecConfig{
			APIVersion:         apiVersion,
			Command:            os.Args[0],
			Env:                []api.ExecEnvVar{{Name: answerVariable, Value: s.path("answer")}, {Name: logVariable, Value: s.path("log")}},
			InteractiveMode:    api.IfAvailableExecInteractiveMode,
			ProvideClusterInfo: true,
		},
	}
	return s
}

func (s *stage) path(name string) string {
	return filepath.Join(s.folder, name)
}

func (s *stage) client() *client {
	c := newClient(s.t.Context(), s.config, "")
	s.t.Cleanup(c.close)
	return c
}

// What the plugin says from now on.
func (s *stage) answerWith(text string) {
	must(os.WriteFile(s.path("answer"), []byte(text), 0o600))
}

func (s *stage) answerWithStatus(status map[string]any) {
	text, err := json.Marshal(map[string]any{"apiVersion": apiVersion, "kind": "ExecCredential", "status": status})
	must(err)
	s.answerWith(string(text))
}

func (s *stage) runs() []pluginRun {
	text, err := os.ReadFile(s.path("log"))
	if err != nil {
		return nil
	}
	runs := []pluginRun{}
	for line := range strings.Lines(string(text)) {
		var one pluginRun
		must(json.Unmarshal([]byte(line), &one))
		runs = append(runs, one)
	}
	return runs
}

// A proxy in this process, and what the plugin says of it.
type proxy struct {
	*httptest.Server
	status map[string]any
	mu     sync.Mutex
	seen   int
	// In place of echo.
	answer http.HandlerFunc
}

func (p *proxy) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	p.mu.Lock()
	p.seen++
	p.mu.Unlock()
	p.answer(response, request)
}

// At a Unix socket, or at a port where the path is empty. Only with the client certificate of its answer, if demanded.
func (s *stage) startProxy(socket string, demandsCertificate bool) *proxy {
	authority := issue(nil, "authority")
	own := issue(&authority, "proxy")
	p := &proxy{answer: echo}
	p.Server = httptest.NewUnstartedServer(p)
	url := ""
	if socket != "" {
		p.Listener.Close()
		listening, err := net.Listen("unix", socket)
		must(err)
		p.Listener = listening
		url = "unix://" + socket
	}
	p.EnableHTTP2 = true
	p.TLS = &tls.Config{Certificates: []tls.Certificate{own.pair}}
	p.status = map[string]any{"token": "way-in"}
	if demandsCertificate {
		p.TLS.ClientAuth = tls.RequireAndVerifyClientCert
		p.TLS.ClientCAs = x509.NewCertPool()
		p.TLS.ClientCAs.AddCert(authority.pair.Leaf)
		mine := issue(&authority, "client")
		p.status["clientCertificateData"], p.status["clientKeyData"] = mine.certificate, mine.key
	}
	p.StartTLS()
	if url == "" {
		url = p.URL
	}
	p.status["proxyConfig"] = map[string]any{"url": url, "certificate-authority-data": []byte(authority.certificate)}
	s.t.Cleanup(p.Close)
	return p
}

type issued struct {
	pair             tls.Certificate
	certificate, key string
}

// A certificate of 127.0.0.1; without a parent a CA.
func issue(parent *issued, name string) issued {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(err)
	template := &x509.Certificate{
		SerialNumber:          big.NewInt(time.Now().UnixNano()),
		Subject:               pkix.Name{CommonName: name},
		NotAfter:              time.Now().Add(time.Hour),
		IPAddresses:           []net.IP{net.IPv4(127, 0, 0, 1)},
		BasicConstraintsValid: true,
		IsCA:                  parent == nil,
	}
	by, signer := template, any(key)
	if parent != nil {
		by, signer = parent.pair.Leaf, parent.pair.PrivateKey
	}
	der, err := x509.CreateCertificate(rand.Reader, template, by, &key.PublicKey, signer)
	must(err)
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	must(err)
	one := issued{
		certificate: pemOf(der),
		key:         string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER})),
	}
	one.pair, err = tls.X509KeyPair([]byte(one.certificate), []byte(one.key))
	must(err)
	return one
}

func pemOf(certificate []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}))
}

// A command that says back what it was given, and ends with 3 at the end of its input.
func command(response http.ResponseWriter, request *http.Request) {
	upgrading := websocket.Upgrader{Subprotocols: []string{"v5.channel.k8s.io"}}
	connection, err := upgrading.Upgrade(response, request, nil)
	if err != nil {
		return
	}
	defer connection.Close()
	say := func(channel byte, text string) {
		connection.WriteMessage(websocket.BinaryMessage, append([]byte{channel}, text...))
	}
	say(channelErrors, request.Header.Get("Authorization")+" "+request.URL.RequestURI())
	for {
		_, message, err := connection.ReadMessage()
		if err != nil {
			return
		}
		if message[0] == channelClose {
			say(channelStatus, `{"status":"Failure","reason":"NonZeroExitCode",
				"details":{"causes":[{"reason":"ExitCode","message":"3"}]}}`)
			return
		}
		say(channelOutput, string(message[1:]))
	}
}
