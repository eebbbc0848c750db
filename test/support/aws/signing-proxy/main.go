// Command signing-proxy is what the request proxy is measured beside where requests are signed: Go's own reverse proxy
// with the signer of AWS's SDK. It reads one line of JSON, prints its port, and ends when stdin does.
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// PEM where nothing else is said.
type asked struct {
	Certificate string `json:"certificate"`
	Key         string `json:"key"`
	// Of the server behind it.
	Server string `json:"server"`
	CA     string `json:"ca"`
	// What is spoken on both sides is HTTP/2.
	HTTP2           bool   `json:"http2"`
	AccessKeyID     string `json:"accessKeyId"`
	SecretAccessKey string `json:"secretAccessKey"`
	SessionToken    string `json:"sessionToken"`
	Region          string `json:"region"`
	Service         string `json:"service"`
}

// As the request proxy's: kept whole up to here.
const largestBody = 16 << 20

// Signs what is about to be sent.
type signing struct {
	next   http.RoundTripper
	signer *v4.Signer
	asked  asked
	keys   aws.Credentials
}

func (s *signing) RoundTrip(request *http.Request) (*http.Response, error) {
	var body []byte
	if request.Body != nil {
		var err error
		if body, err = io.ReadAll(io.LimitReader(request.Body, largestBody)); err != nil {
			return nil, err
		}
		request.Body = io.NopCloser(bytes.NewReader(body))
		request.ContentLength = int64(len(body))
	}
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	request.Header.Set("X-Amz-Content-Sha256", hash)
	err := s.signer.SignHTTP(request.Context(), s.keys, request, hash, s.asked.Service, s.asked.Region, time.Now())
	if err != nil {
		return nil, err
	}
	return s.next.RoundTrip(request)
}

func main() {
	input := bufio.NewReader(os.Stdin)
	line, err := input.ReadBytes('\n')
	must(err)
	var a asked
	must(json.Unmarshal(line, &a))

	server, err := url.Parse(a.Server)
	must(err)
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM([]byte(a.CA))
	transport := &http.Transport{
		TLSClientConfig:     &tls.Config{RootCAs: roots},
		MaxIdleConnsPerHost: 64,
		DisableCompression:  true,
		Protocols:           protocols(a),
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(request *httputil.ProxyRequest) {
			request.SetURL(server)
			request.Out.Header.Del("Authorization")
		},
		Transport: &signing{
			next:   transport,
			signer: v4.NewSigner(),
			asked:  a,
			keys: aws.Credentials{
				AccessKeyID:     a.AccessKeyID,
				SecretAccessKey: a.SecretAccessKey,
				SessionToken:    a.SessionToken,
			},
		},
		FlushInterval: -1,
	}

	pair, err := tls.X509KeyPair([]byte(a.Certificate), []byte(a.Key))
	must(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	served := &http.Server{
		Handler:   proxy,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}},
		Protocols: protocols(a),
	}
	go func() { log.Fatal(served.ServeTLS(listener, "", "")) }()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)

	_, err = io.Copy(io.Discard, input)
	must(err)
}

func protocols(a asked) *http.Protocols {
	var p http.Protocols
	p.SetHTTP1(!a.HTTP2)
	p.SetHTTP2(a.HTTP2)
	return &p
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
