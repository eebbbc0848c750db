// Command watch-config-maps is client-go as a controller uses it: one informer that lives on, and requests beside it.
// It prints one line of JSON for each ConfigMap that it hears of, for each request, and for each watch that broke off.
// It ends with its standard input.
//
//	watch-config-maps KUBECONFIG CONTEXT
package main

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const pause = 500 * time.Millisecond

type line struct {
	Kind  string `json:"kind"`
	Name  string `json:"name,omitempty"`
	Error string `json:"error,omitempty"`
}

var (
	printing sync.Mutex
	out      = json.NewEncoder(os.Stdout)
)

func say(kind, name string, err error) {
	printing.Lock()
	defer printing.Unlock()
	said := line{Kind: kind, Name: name}
	if err != nil {
		said.Error = err.Error()
	}
	out.Encode(said)
}

func main() {
	client, err := newClient(os.Args[1], os.Args[2])
	if err != nil {
		say("failed", "", err)
		os.Exit(1)
	}
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithNamespace("default"))
	informer := factory.Core().V1().ConfigMaps().Informer()
	informer.SetWatchErrorHandler(func(_ *cache.Reflector, err error) { say("watchBroke", "", err) })
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(object any) { say("seen", object.(*corev1.ConfigMap).Name, nil) },
	})
	factory.Start(ctx.Done())
	for ctx.Err() == nil {
		_, err := client.CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{Limit: 1})
		if ctx.Err() == nil {
			say("request", "", err)
		}
		time.Sleep(pause)
	}
}

func newClient(kubeconfig, kubeContext string) (kubernetes.Interface, error) {
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(
		&clientcmd.ClientConfigLoadingRules{ExplicitPath: kubeconfig},
		&clientcmd.ConfigOverrides{CurrentContext: kubeContext},
	).ClientConfig()
	if err != nil {
		return nil, err
	}
	return kubernetes.NewForConfig(config)
}
