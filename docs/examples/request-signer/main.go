// Signs requests for Lanyard: X-Signature has an HMAC-SHA256 with the key in SIGNING_KEY. See docs/request-signers.md.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"
)

type request struct {
	Version    int     `json:"version"`
	ID         int64   `json:"id"`
	Method     string  `json:"method"`
	Path       string  `json:"path"`
	Host       string  `json:"host"`
	BodySHA256 *string `json:"bodySha256"`
}

type answer struct {
	ID      int64       `json:"id"`
	Headers [][2]string `json:"headers,omitempty"`
	Error   string      `json:"error,omitempty"`
}

func main() {
	key := os.Getenv("SIGNING_KEY")
	// A bufio.Scanner would stop at lines of more than 64 KiB.
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var asked request
		switch err := in.Decode(&asked); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			log.Fatal(err)
		}
		if err := out.Encode(answerTo(key, asked)); err != nil {
			log.Fatal(err)
		}
	}
}

func answerTo(key string, asked request) answer {
	switch {
	case asked.Version != 1:
		return answer{ID: asked.ID, Error: fmt.Sprintf("this signer knows version 1, not %d", asked.Version)}
	case key == "":
		return answer{ID: asked.ID, Error: "SIGNING_KEY is not set: lanyard secret set ACCOUNT/env.SIGNING_KEY"}
	}
	return answer{ID: asked.ID, Headers: [][2]string{{"X-Signature", sign(key, asked)}}}
}

func sign(key string, asked request) string {
	body := "UNSIGNED"
	if asked.BodySHA256 != nil {
		body = *asked.BodySHA256
	}
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(strings.Join([]string{asked.Method, asked.Host, asked.Path, body}, "\n")))
	return hex.EncodeToString(mac.Sum(nil))
}
