// Command many-watches opens so many watches on pods with one client of client-go, waits for the first event of each,
// lists pods beside them, and prints how many watches and pods there are. It ends when its stdin does.
//
//	many-watches CONTEXT COUNT
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	overrides := &clientcmd.ConfigOverrides{CurrentContext: os.Args[1]}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	must(err)
	// Else the client itself would slow down after the first ones.
	config.QPS = -1
	client, err := kubernetes.NewForConfig(config)
	must(err)
	count, err := strconv.Atoi(os.Args[2])
	must(err)
	pods := client.CoreV1().Pods("default")
	seen := make(chan struct{})
	for range count {
		go func() {
			watching, err := pods.Watch(context.Background(), metav1.ListOptions{})
			must(err)
			<-watching.ResultChan()
			seen <- struct{}{}
		}()
	}
	for range count {
		<-seen
	}
	list, err := pods.List(context.Background(), metav1.ListOptions{})
	must(err)
	fmt.Println(count, len(list.Items))
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
