// What a kubelet does for an image's credential, by its exported API alone: reads a CredentialProviderConfig, runs the
// plugins of a folder, and looks an image up. Asked on stdin, one JSON object a line; answers one a line.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/credentialprovider/plugin"
)

// A pod's image, and its service account; none where the name is empty.
type pull struct {
	Image          string            `json:"image"`
	ServiceAccount string            `json:"serviceAccount"`
	Token          string            `json:"token"`
	Annotations    map[string]string `json:"annotations"`
}

type answer struct {
	Found       bool        `json:"found"`
	Credentials [][2]string `json:"credentials"`
	// Of the tokens that the kubelet requested for this pull.
	Audiences []string `json:"audiences"`
}

func main() {
	// The kubelet only logs what a provider's failure is.
	klog.SetOutput(os.Stderr)
	var current pull
	var told answer
	err := plugin.RegisterCredentialProviderPlugins(os.Args[1], os.Args[2],
		func(_, _ string, request *authenticationv1.TokenRequest) (*authenticationv1.TokenRequest, error) {
			told.Audiences = append(told.Audiences, request.Spec.Audiences...)
			return &authenticationv1.TokenRequest{Status: authenticationv1.TokenRequestStatus{Token: current.Token}}, nil
		},
		func(_, name string) (*corev1.ServiceAccount, error) {
			account := &corev1.ServiceAccount{}
			account.Name, account.UID, account.Annotations = name, "uid-of-account", current.Annotations
			return account, nil
		},
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	pulls := json.NewDecoder(os.Stdin)
	for {
		current = pull{}
		if err := pulls.Decode(&current); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		told = answer{Credentials: [][2]string{}, Audiences: []string{}}
		keyring := plugin.NewExternalCredentialProviderDockerKeyring("default", "pod", "uid-of-pod", current.ServiceAccount)
		credentials, found := keyring.Lookup(current.Image)
		told.Found = found
		for _, each := range credentials {
			told.Credentials = append(told.Credentials, [2]string{each.Username, each.Password})
		}
		if err := json.NewEncoder(os.Stdout).Encode(told); err != nil {
			panic(err)
		}
	}
}
