// Prints what the kubelet's own registry says of image credential providers after a list of runs: the text that Lanyard's
// metrics are compared with (KEP-2133/metrics).
//
//	go test -c -o print ./metrics && ./print FILE < metrics/runs.json
//
// It is a test program for testing/synctest's clock alone: a run takes no time, so that its durations are the same each
// time. The plugins are real processes; what counts, and how, is all the kubelet's.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/prometheus/common/expfmt"
	"k8s.io/component-base/metrics/legacyregistry"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/credentialprovider/plugin"
)

type run struct {
	Plugin string `json:"plugin"`
	// What the plugin does: answer, nothing, garbage, unknownField, exit, signal or missing.
	Does string `json:"does"`
	Code int    `json:"code"`
}

const response = `{"kind":"CredentialProviderResponse","apiVersion":"credentialprovider.kubelet.k8s.io/v1","cacheKeyType":"Image","cacheDuration":"0s"%s}`

var shells = map[string]string{
	"answer":       "echo '" + fmt.Sprintf(response, `,"auth":{"*.example":{"username":"u","password":"p"}}`) + "'",
	"nothing":      "echo '" + fmt.Sprintf(response, `,"auth":null`) + "'",
	"unknownField": "echo '" + fmt.Sprintf(response, `,"extra":1`) + "'",
	"garbage":      "echo garbage",
}

func TestPrint(t *testing.T) {
	if flag.NArg() != 1 {
		t.Skip("say where to: print FILE < runs.json")
	}
	klog.SetLogger(klog.Logger{})
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		t.Fatal(err)
	}
	var list struct {
		Config json.RawMessage `json:"config"`
		Runs   []run           `json:"runs"`
	}
	if err := json.Unmarshal(input, &list); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	config := filepath.Join(folder, "config.json")
	var compact bytes.Buffer
	if err := json.Compact(&compact, list.Config); err != nil {
		t.Fatal(err)
	}
	// Its hash is that of JSON.stringify.
	if err := os.WriteFile(config, compact.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, each := range list.Runs {
		write(t, filepath.Join(folder, each.Plugin), "exit 1")
	}
	synctest.Test(t, func(t *testing.T) {
		if err := plugin.RegisterCredentialProviderPlugins(config, folder, nil, nil); err != nil {
			t.Fatal(err)
		}
		keyring := plugin.NewExternalCredentialProviderDockerKeyring("", "", "", "")
		for number, each := range list.Runs {
			program := filepath.Join(folder, each.Plugin)
			switch each.Does {
			case "missing":
				os.Remove(program)
			case "exit":
				write(t, program, fmt.Sprintf("exit %d", each.Code))
			case "signal":
				write(t, program, fmt.Sprintf("kill -%d $$", each.Code))
			default:
				write(t, program, shells[each.Does])
			}
			keyring.Lookup(fmt.Sprintf("%s.example/%d", each.Plugin, number))
		}
	})
	if err := printRegistry(flag.Arg(0)); err != nil {
		t.Fatal(err)
	}
}

func write(t *testing.T, program, line string) {
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"+line+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
}

// The test program itself writes to stdout: the text goes to a file.
func printRegistry(file string) error {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer out.Close()
	families, err := legacyregistry.DefaultGatherer.Gather()
	if err != nil {
		return err
	}
	for _, family := range families {
		if strings.HasPrefix(family.GetName(), "kubelet_credential_provider_") {
			if _, err := expfmt.MetricFamilyToText(out, family); err != nil {
				return err
			}
		}
	}
	return nil
}
