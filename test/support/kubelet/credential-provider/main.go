// Command credential-provider asks the kubelet's own code about image credentials.
//
// A question is a line of JSON on standard input, its answer a line on standard output. See the type question.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/credentialprovider"
	"k8s.io/kubernetes/pkg/util/parsers"
)

type question struct {
	// One of normalise, match, lookup, config, session.
	Op      string `json:"op"`
	Image   string `json:"image"`
	Pattern string `json:"pattern"`
	// Of lookup: the auth keys of each provider.
	Keys [][]string `json:"keys"`
	// Of config and session: the files of the configuration, by name.
	Files map[string]string `json:"files"`
	Steps []step            `json:"steps"`
}

func main() {
	// What a provider does wrong is told in the answers.
	klog.SetLogger(klog.Logger{})
	folder, err := os.MkdirTemp("", "credential-provider-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 16<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for number := 0; lines.Scan(); number++ {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := encoder.Encode(answer(asked, filepath.Join(folder, fmt.Sprint(number)))); err != nil {
			panic(err)
		}
	}
}

func answer(asked question, folder string) any {
	switch asked.Op {
	case "normalise":
		name, tag, digest, err := parsers.ParseImageName(asked.Image)
		return map[string]string{"name": name, "tag": tag, "digest": digest, "error": words(err)}
	case "match":
		matched, err := credentialprovider.URLsMatchStr(asked.Pattern, asked.Image)
		_, unreadable := credentialprovider.ParseSchemelessURL(asked.Pattern)
		return map[string]any{"matched": matched && err == nil, "error": words(unreadable)}
	case "lookup":
		keyring := &credentialprovider.BasicDockerKeyring{}
		for provider, keys := range asked.Keys {
			config := credentialprovider.DockerConfig{}
			for place, key := range keys {
				config[key] = credentialprovider.DockerConfigEntry{Username: fmt.Sprintf("%d.%d", provider, place)}
			}
			keyring.Add(nil, config)
		}
		return found(keyring, asked.Image)
	case "config":
		return readConfig(asked.Files, folder)
	case "session":
		return runSession(asked, folder)
	}
	panic("unknown op " + asked.Op)
}

// The user names of an image's credentials, in order.
func found(keyring credentialprovider.DockerKeyring, image string) []string {
	credentials, _ := keyring.Lookup(image)
	names := []string{}
	for _, credential := range credentials {
		names = append(names, credential.Username)
	}
	return names
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
