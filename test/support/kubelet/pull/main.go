// What a kubelet does for an image's credential, by its exported API alone: reads a CredentialProviderConfig, runs the
// plugins of a folder, and looks an image up. Asked on stdin, one image a line; answers one JSON object a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/credentialprovider/plugin"
)

type answer struct {
	Found       bool        `json:"found"`
	Credentials [][2]string `json:"credentials"`
}

func main() {
	// The kubelet only logs what a provider's failure is.
	klog.SetOutput(os.Stderr)
	if err := plugin.RegisterCredentialProviderPlugins(os.Args[1], os.Args[2], nil, nil); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	keyring := plugin.NewExternalCredentialProviderDockerKeyring("", "", "", "")
	images := bufio.NewScanner(os.Stdin)
	for images.Scan() {
		credentials, found := keyring.Lookup(images.Text())
		told := answer{Found: found, Credentials: [][2]string{}}
		for _, each := range credentials {
			told.Credentials = append(told.Credentials, [2]string{each.Username, each.Password})
		}
		if err := json.NewEncoder(os.Stdout).Encode(told); err != nil {
			panic(err)
		}
	}
}
