// Verifies servers' certificates as crypto/tls does for kubectl: a JSON list of rows on stdin, a JSON object on stdout.
package main

import (
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"runtime"
)

type row struct {
	Name  string
	Roots string
	Chain string
	Host  string
}

type answer struct {
	Go   string            `json:"go"`
	Rows map[string]string `json:"rows"`
}

func main() {
	var rows []row
	if err := json.NewDecoder(os.Stdin).Decode(&rows); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	verdicts := map[string]string{}
	for _, each := range rows {
		verdicts[each.Name] = verdict(each)
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetIndent("", "  ")
	encoder.Encode(answer{runtime.Version(), verdicts})
}

// The type of Go's error says the reason, and has no time in it.
func verdict(each row) string {
	var chain []*x509.Certificate
	for rest := []byte(each.Chain); ; {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return "unreadable"
		}
		chain = append(chain, certificate)
	}
	options := x509.VerifyOptions{DNSName: each.Host, Roots: x509.NewCertPool(), Intermediates: x509.NewCertPool()}
	options.Roots.AppendCertsFromPEM([]byte(each.Roots))
	for _, certificate := range chain[1:] {
		options.Intermediates.AddCert(certificate)
	}
	if _, err := chain[0].Verify(options); err != nil {
		return fmt.Sprintf("%T", err)
	}
	return "accepted"
}
