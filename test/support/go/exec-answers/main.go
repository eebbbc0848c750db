// Command exec-answers has client-go's own exec authenticator read what plugins print, and tells what it makes of it.
//
// A case is a line of JSON on standard input: {"apiVersion": …, "stdout": base64}. Its answer is a line on standard
// output: the token, the certificate chain and the end that client-go takes, or its error. The plugin is cat.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/net/http/httpguts"
	"k8s.io/client-go/plugin/pkg/client/auth/exec"
	"k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/transport"
)

type question struct {
	APIVersion string `json:"apiVersion"`
	Stdout     []byte `json:"stdout"`
}

type answer struct {
	OK    bool   `json:"ok"`
	Error string `json:"error,omitempty"`
	Token string `json:"token,omitempty"`
	// No HTTP header can hold the token: every request fails.
	Unsendable bool `json:"unsendable,omitempty"`
	// The chain's certificates, DER.
	Chain [][]byte `json:"chain,omitempty"`
	// Milliseconds since 1970; none where there is no end.
	End *int64 `json:"end,omitempty"`
}

func main() {
	folder, err := os.MkdirTemp("", "exec-answers-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	for number := 0; lines.Scan(); number++ {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		// A file of its own each: client-go keeps one authenticator per configuration.
		file := filepath.Join(folder, strconv.Itoa(number))
		if err := os.WriteFile(file, asked.Stdout, 0o600); err != nil {
			panic(err)
		}
		encoder.Encode(read(asked.APIVersion, file))
		os.Remove(file)
	}
}

func read(apiVersion, file string) answer {
	authenticator, err := exec.GetAuthenticator(&api.ExecConfig{
		Command:         "/bin/cat",
		Args:            []string{file},
		APIVersion:      apiVersion,
		InteractiveMode: api.NeverExecInteractiveMode,
	}, nil)
	if err != nil {
		return answer{Error: err.Error()}
	}
	config := transport.Config{}
	if err := authenticator.UpdateTransportConfig(&config); err != nil {
		return answer{Error: err.Error()}
	}
	server := &recorder{}
	request, err := http.NewRequest("GET", "https://server.example", nil)
	if err != nil {
		panic(err)
	}
	if _, err := config.WrapTransport(server).RoundTrip(request); !errors.Is(err, errRecorded) {
		return answer{Error: err.Error()}
	}
	found := answer{OK: true}
	const scheme = "Bearer "
	if len(server.header) > len(scheme) {
		found.Token = server.header[len(scheme):]
		found.Unsendable = !httpguts.ValidHeaderFieldValue(server.header)
	}
	certificate, err := config.TLS.GetCertHolder.GetCert()
	if err != nil {
		return answer{Error: err.Error()}
	}
	if certificate != nil {
		found.Chain = certificate.Certificate
	}
	if end := endOf(authenticator); !end.IsZero() {
		milliseconds := end.UnixMilli()
		found.End = &milliseconds
	}
	return found
}

// It is told to nobody.
func endOf(authenticator *exec.Authenticator) time.Time {
	field := reflect.ValueOf(authenticator).Elem().FieldByName("exp")
	return *(*time.Time)(unsafe.Pointer(field.UnsafeAddr()))
}

var errRecorded = errors.New("recorded")

// The server, which is never reached.
type recorder struct{ header string }

func (r *recorder) RoundTrip(request *http.Request) (*http.Response, error) {
	r.header = request.Header.Get("Authorization")
	return nil, errRecorded
}
