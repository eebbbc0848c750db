// A server that demands a client certificate, and answers with TLS's version and whose certificate it was; shortly where it
// is asked for /small. No handshake is a resumed one.
//
//	client-certificates CERTIFICATE KEY CA 1.2|1.3 [closes]
//
// closes: each answer ends its connection.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
)

var versions = map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}

func main() {
	certificate, err := tls.LoadX509KeyPair(os.Args[1], os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	authority, err := os.ReadFile(os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(authority)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	server := http.Server{
		TLSConfig: &tls.Config{
			Certificates: []tls.Certificate{certificate},
			ClientAuth:   tls.RequireAndVerifyClientCert,
			ClientCAs:    clients,
			MinVersion:   versions[os.Args[4]],
			MaxVersion:   versions[os.Args[4]],

			SessionTicketsDisabled: true,
		},
		Handler: http.HandlerFunc(func(writer http.ResponseWriter, request *http.Request) {
			if request.URL.Path == "/small" {
				fmt.Fprint(writer, "ok")
				return
			}
			version := tls.VersionName(request.TLS.Version)
			fmt.Fprintf(writer, "%s %s", version, request.TLS.PeerCertificates[0].Subject.CommonName)
		}),
	}
	server.SetKeepAlivesEnabled(len(os.Args) < 6)
	log.Fatal(server.ServeTLS(listener, "", ""))
}
