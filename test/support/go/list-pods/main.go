// Command list-pods is client-go as a program uses it: one client that lives on, and lists pods when it is told to.
// See test/support/clients/README.md for what it reads and prints.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/clientcmd"
)

type answer struct {
	OK      bool     `json:"ok"`
	Names   []string `json:"names,omitempty"`
	Status  *int32   `json:"status,omitempty"`
	Message string   `json:"message,omitempty"`
}

func main() {
	var client dynamic.Interface
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if client == nil || lines.Text() == "reload" {
			made, err := newClient(os.Args[1])
			if err != nil {
				out.Encode(answer{Message: err.Error()})
				continue
			}
			client = made
		}
		out.Encode(list(client))
	}
}

func newClient(kubeContext string) (dynamic.Interface, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	overrides := &clientcmd.ConfigOverrides{CurrentContext: kubeContext}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		return nil, err
	}
	return dynamic.NewForConfig(config)
}

func list(client dynamic.Interface) answer {
	pods := schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	found, err := client.Resource(pods).Namespace("default").List(context.Background(), metav1.ListOptions{})
	if err != nil {
		failed := answer{Message: err.Error()}
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			code := status.Status().Code
			failed.Status = &code
		}
		return failed
	}
	names := []string{}
	for _, pod := range found.Items {
		names = append(names, pod.GetName())
	}
	return answer{OK: true, Names: names}
}
