// Prints what client-go's own registry says of wrapped exec plugins after a list of runs: the text that Lanyard's
// metrics are compared with (KEP-541/metrics).
//
//	go test -c -o print ./restclient-metrics && ./print FILE < runs/rotations.json
//
// It is a test program for testing/synctest's clock alone: the registry asks time.Now for a certificate's TTL, and
// here the clock stands still but for what the list says. The plugins are real processes, run by client-go's exec
// authenticator; what counts, and how, is all client-go's.
package main

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/common/expfmt"
	"k8s.io/client-go/plugin/pkg/client/auth/exec"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/tools/metrics"
	"k8s.io/client-go/transport"
	"k8s.io/component-base/metrics/legacyregistry"
	_ "k8s.io/component-base/metrics/prometheus/restclient"
)

const apiVersion = "client.authentication.k8s.io/v1"

// One run of a plugin. Times are seconds from the beginning of the list.
type run struct {
	At     int64  `json:"at"`
	Plugin string `json:"plugin"`
	// What the plugin does: a certificate, a token, garbage, exit, signal, missing or notExecutable.
	Does   string `json:"does"`
	Number int    `json:"number"`
	// The certificate's name: the same one comes again under the same name.
	Certificate string `json:"certificate"`
	NotBefore   int64  `json:"notBefore"`
	NotAfter    int64  `json:"notAfter"`
}

func TestPrint(t *testing.T) {
	if flag.NArg() != 1 {
		t.Skip("say where to: print FILE < runs.json")
	}
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Runs []run `json:"runs"`
		End  int64 `json:"end"`
	}
	if err := json.Unmarshal(input, &list); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	metrics.EnsureRegistered()
	synctest.Test(t, func(t *testing.T) {
		bench := &bench{t: t, folder: folder, began: time.Now(), trippers: map[string]http.RoundTripper{}, pairs: map[string]pair{}}
		for _, each := range list.Runs {
			bench.sleepUntil(each.At)
			bench.run(each)
		}
		bench.sleepUntil(list.End)
		if err := printRegistry(flag.Arg(0)); err != nil {
			t.Fatal(err)
		}
	})
}

type pair struct{ certificate, key string }

type bench struct {
	t        *testing.T
	folder   string
	began    time.Time
	trippers map[string]http.RoundTripper
	pairs    map[string]pair
}

func (b *bench) sleepUntil(at int64) {
	time.Sleep(time.Until(b.began.Add(time.Duration(at) * time.Second)))
}

// Runs the plugin exactly once: client-go does where it holds nothing, and after a 401 where it does.
func (b *bench) run(r run) {
	home := filepath.Join(b.folder, r.Plugin)
	tripper := b.tripper(r.Plugin, home, r.Does)
	body, tail := b.answer(r)
	b.write(filepath.Join(home, "answer"), body, 0o600)
	b.write(filepath.Join(home, "tail"), tail, 0o600)
	ran := filepath.Join(home, "ran")
	os.Remove(ran)
	request, _ := http.NewRequest("GET", "https://cluster.example", nil)
	_, _ = tripper.RoundTrip(request)
	starts := r.Does != "missing" && r.Does != "notExecutable"
	if text, _ := os.ReadFile(ran); starts && string(text) != "ran\n" {
		b.t.Fatalf("%s at %d ran %q, not once", r.Plugin, r.At, text)
	}
}

func (b *bench) tripper(plugin, home, does string) http.RoundTripper {
	if known, ok := b.trippers[plugin]; ok {
		return known
	}
	if err := os.Mkdir(home, 0o700); err != nil {
		b.t.Fatal(err)
	}
	command := filepath.Join(home, "plugin")
	switch does {
	case "missing":
	case "notExecutable":
		b.write(command, "", 0o600)
	default:
		b.write(command, "#!/bin/sh\necho ran >> \""+home+"/ran\"\ncat \""+home+"/answer\"\n. \""+home+"/tail\"\n", 0o700)
	}
	authenticator, err := exec.GetAuthenticator(&api.ExecConfig{
		Command:         command,
		APIVersion:      apiVersion,
		InteractiveMode: api.NeverExecInteractiveMode,
	}, nil)
	if err != nil {
		b.t.Fatal(err)
	}
	config := &transport.Config{}
	if err := authenticator.UpdateTransportConfig(config); err != nil {
		b.t.Fatal(err)
	}
	b.trippers[plugin] = config.WrapTransport(cluster{filepath.Join(home, "ran")})
	return b.trippers[plugin]
}

// A cluster that says 401 to a credential from before this request.
type cluster struct{ ran string }

func (c cluster) RoundTrip(*http.Request) (*http.Response, error) {
	status := http.StatusOK
	if _, err := os.Stat(c.ran); err != nil {
		status = http.StatusUnauthorized
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(bytes.NewReader(nil))}, nil
}

// What the plugin writes, and what its shell does then.
func (b *bench) answer(r run) (body, tail string) {
	status := map[string]string{}
	switch r.Does {
	case "exit":
		return "", fmt.Sprintf("exit %d\n", r.Number)
	case "signal":
		return "", fmt.Sprintf("kill -%d $$\n", r.Number)
	case "garbage", "missing", "notExecutable":
		return "garbage", ""
	case "token":
		status["token"] = "token"
	case "certificate":
		made := b.pair(r)
		status["clientCertificateData"], status["clientKeyData"] = made.certificate, made.key
	default:
		b.t.Fatalf("no plugin does %q", r.Does)
	}
	text, err := json.Marshal(map[string]any{"apiVersion": apiVersion, "kind": "ExecCredential", "status": status})
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text), ""
}

func (b *bench) pair(r run) pair {
	if known, ok := b.pairs[r.Certificate]; ok {
		return known
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		b.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(b.pairs) + 1)),
		Subject:      pkix.Name{CommonName: r.Certificate},
		NotBefore:    b.began.Add(time.Duration(r.NotBefore) * time.Second),
		NotAfter:     b.began.Add(time.Duration(r.NotAfter) * time.Second),
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		b.t.Fatal(err)
	}
	keyDer, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		b.t.Fatal(err)
	}
	b.pairs[r.Certificate] = pair{
		certificate: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})),
		key:         string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDer})),
	}
	return b.pairs[r.Certificate]
}

func (b *bench) write(file, text string, mode os.FileMode) {
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		b.t.Fatal(err)
	}
}

// The test program itself writes to stdout: the text goes to a file.
func printRegistry(file string) error {
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return err
	}
	var text bytes.Buffer
	for _, family := range families {
		if strings.HasPrefix(family.GetName(), "rest_client_exec_plugin_") {
			if _, err := expfmt.MetricFamilyToText(&text, family); err != nil {
				return err
			}
		}
	}
	return os.WriteFile(file, text.Bytes(), 0o600)
}
