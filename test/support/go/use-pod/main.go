// Command use-pod is what a program does with a pod by client-go; see test/support/clients/README.md for what it reads and
// prints. Streams go over WebSocket where the third argument is `websocket`, and over SPDY otherwise.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/httpstream"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/client-go/util/exec"
)

type found struct {
	Names     []string `json:"names"`
	Watched   string   `json:"watched"`
	Executed  string   `json:"executed"`
	ExitCode  int      `json:"exitCode"`
	Logged    string   `json:"logged"`
	Forwarded string   `json:"forwarded"`
}

type program struct {
	config      *rest.Config
	client      *kubernetes.Clientset
	isWebSocket bool
}

func main() {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	overrides := &clientcmd.ConfigOverrides{CurrentContext: os.Args[1]}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	must(err)
	client, err := kubernetes.NewForConfig(config)
	must(err)
	one := program{config: config, client: client, isWebSocket: os.Args[3] == "websocket"}
	code, line := one.executed()
	must(json.NewEncoder(os.Stdout).Encode(found{
		Names:     one.names(),
		Watched:   one.watched(),
		Executed:  line,
		ExitCode:  code,
		Logged:    one.logged(),
		Forwarded: one.forwarded(os.Args[2]),
	}))
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (one program) names() []string {
	pods, err := one.client.CoreV1().Pods("default").List(context.Background(), metav1.ListOptions{})
	must(err)
	names := []string{}
	for _, pod := range pods.Items {
		names = append(names, pod.Name)
	}
	return names
}

func (one program) watched() string {
	watching, err := one.client.CoreV1().Pods("default").Watch(context.Background(), metav1.ListOptions{})
	must(err)
	defer watching.Stop()
	event := <-watching.ResultChan()
	return event.Object.(*corev1.Pod).Name
}

func (one program) logged() string {
	options := &corev1.PodLogOptions{Follow: true}
	stream, err := one.client.CoreV1().Pods("default").GetLogs("web", options).Stream(context.Background())
	must(err)
	defer stream.Close()
	line, err := bufio.NewReader(stream).ReadString('\n')
	must(err)
	return strings.TrimSpace(line)
}

func (one program) url(subresource string, options *corev1.PodExecOptions) *url.URL {
	request := one.client.CoreV1().RESTClient().Post().Resource("pods").Namespace("default").Name("web").
		SubResource(subresource)
	if options != nil {
		request = request.VersionedParams(options, scheme.ParameterCodec)
	}
	return request.URL()
}

func (one program) executed() (int, string) {
	to := one.url("exec", &corev1.PodExecOptions{
		Command: []string{"sh", "-c", "read line; echo got $line; exit 3"},
		Stdin:   true,
		Stdout:  true,
		Stderr:  true,
	})
	executor, err := remotecommand.NewSPDYExecutor(one.config, http.MethodPost, to)
	if one.isWebSocket {
		executor, err = remotecommand.NewWebSocketExecutor(one.config, http.MethodGet, to.String())
	}
	must(err)
	var out bytes.Buffer
	err = executor.StreamWithContext(context.Background(), remotecommand.StreamOptions{
		Stdin:  strings.NewReader("hello\n"),
		Stdout: &out,
		Stderr: os.Stderr,
	})
	var exit exec.CodeExitError
	if !errors.As(err, &exit) {
		must(fmt.Errorf("no exit code: %w", err))
	}
	return exit.Code, strings.TrimSpace(out.String())
}

func (one program) dialer() httpstream.Dialer {
	to := one.url("portforward", nil)
	if one.isWebSocket {
		dialer, err := portforward.NewSPDYOverWebsocketDialer(to, one.config)
		must(err)
		return dialer
	}
	transport, upgrader, err := spdy.RoundTripperFor(one.config)
	must(err)
	return spdy.NewDialer(upgrader, &http.Client{Transport: transport}, http.MethodPost, to)
}

func (one program) forwarded(port string) string {
	stop, ready := make(chan struct{}), make(chan struct{})
	defer close(stop)
	forwarder, err := portforward.New(one.dialer(), []string{"0:" + port}, stop, ready, io.Discard, os.Stderr)
	must(err)
	go func() { must(forwarder.ForwardPorts()) }()
	<-ready
	ports, err := forwarder.GetPorts()
	must(err)
	connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", ports[0].Local))
	must(err)
	defer connection.Close()
	_, err = connection.Write([]byte("hello"))
	must(err)
	text, err := bufio.NewReader(connection).ReadString('!')
	must(err)
	return text
}
