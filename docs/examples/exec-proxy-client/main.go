// Command exec-proxy-client does the client's side of KEP-2718: it runs the exec plugin of its kubeconfig with a lock file,
// and sends its requests by the proxy that the plugin answers with. See README.md.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const usage = `exec-proxy-client [OPTIONS] COMMAND

  get PATH             sends GET, and prints the body
  watch PATH           sends GET, and prints each line as it comes, until the stream or the client ends
  exec POD COMMAND…    runs a command in a pod of the context's namespace; its exit code is this one's, too
  repeat N PATH        sends GET as often, one after the other, and prints how long each took, as JSON
  hold                 runs the plugin and prints the proxy's URL, sends GET for each path that is a line of stdin, prints
                       the status, and ends with stdin

`

type options struct {
	kubeconfig, context, lockFile, metrics string
	http1, spdy                            bool
}

func main() {
	var o options
	flag.StringVar(&o.kubeconfig, "kubeconfig", "", "else as kubectl finds it")
	flag.StringVar(&o.context, "context", "", "else the current one")
	flag.StringVar(&o.lockFile, "lock-file", "", "else one of its own")
	flag.StringVar(&o.metrics, "metrics", "", "writes them to this file at the end, in Prometheus' text format")
	flag.BoolVar(&o.http1, "http1", false, "HTTP/1.1 alone")
	flag.BoolVar(&o.spdy, "spdy", false, "exec over SPDY, and not over WebSocket")
	flag.Usage = func() {
		fmt.Fprint(flag.CommandLine.Output(), usage)
		flag.PrintDefaults()
	}
	flag.Parse()

	// After SIGINT or SIGTERM the lock file is removed, too.
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	code, err := run(ctx, o, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "exec-proxy-client:", err)
		code = 1
	}
	os.Exit(code)
}

var errUsage = errors.New("see exec-proxy-client -help")

func run(ctx context.Context, o options, args []string) (code int, err error) {
	config, namespace, err := load(o)
	if err != nil {
		return 1, err
	}
	c := newClient(ctx, config, o.lockFile)
	defer c.close()
	if o.metrics != "" {
		defer func() { err = errors.Join(err, writeMetrics(c.metrics, o.metrics)) }()
	}
	switch {
	case len(args) == 2 && args[0] == "get":
		return 0, c.get(ctx, args[1], func(body io.Reader) error {
			_, err := io.Copy(os.Stdout, body)
			return err
		})
	case len(args) == 2 && args[0] == "watch":
		return 0, c.get(ctx, args[1], printLines)
	case len(args) > 2 && args[0] == "exec":
		query := url.Values{"command": args[2:], "stdin": {"true"}, "stdout": {"true"}, "stderr": {"true"}}
		path := fmt.Sprintf("/api/v1/namespaces/%s/pods/%s/exec?%s", namespace, args[1], query.Encode())
		return c.execute(ctx, path, o.spdy, streams{input: os.Stdin, output: os.Stdout, errors: os.Stderr})
	case len(args) == 3 && args[0] == "repeat":
		return 0, c.repeat(ctx, args[1], args[2])
	case len(args) == 1 && args[0] == "hold":
		return 0, c.hold(ctx)
	}
	return 2, errUsage
}

func load(o options) (*rest.Config, string, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = o.kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: o.context}
	loading := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides)
	config, err := loading.ClientConfig()
	if err != nil {
		return nil, "", err
	}
	if o.http1 {
		config.NextProtos = []string{"http/1.1"}
	}
	namespace, _, err := loading.Namespace()
	return config, namespace, err
}

// The address of a path on the API server, whose own path comes first.
func (c *client) address(path string) (string, error) {
	server, _, err := rest.DefaultServerUrlFor(c.config)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s://%s%s%s", server.Scheme, server.Host, strings.TrimSuffix(server.Path, "/"), path), nil
}

func (c *client) get(ctx context.Context, path string, read func(io.Reader) error) error {
	address, err := c.address(path)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := (&http.Client{Transport: c}).Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(response.Body, 64*1024))
		return fmt.Errorf("%s: %s", response.Status, text)
	}
	return read(response.Body)
}

func printLines(body io.Reader) error {
	lines := bufio.NewReader(body)
	for {
		line, err := lines.ReadBytes('\n')
		if _, failed := os.Stdout.Write(line); failed != nil {
			return failed
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (c *client) repeat(ctx context.Context, count, path string) error {
	times, err := strconv.Atoi(count)
	if err != nil {
		return errUsage
	}
	milliseconds := []float64{}
	for range times {
		started := time.Now()
		err := c.get(ctx, path, func(body io.Reader) error {
			_, err := io.Copy(io.Discard, body)
			return err
		})
		if err != nil {
			return err
		}
		milliseconds = append(milliseconds, float64(time.Since(started).Microseconds())/1000)
	}
	return json.NewEncoder(os.Stdout).Encode(map[string][]float64{"milliseconds": milliseconds})
}

func (c *client) hold(ctx context.Context) error {
	used, err := c.access(ctx, nil)
	if err != nil {
		return err
	}
	if used.listener == nil {
		return errors.New("the plugin answered without a proxy")
	}
	fmt.Println(used.listener.url)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		paths := bufio.NewScanner(os.Stdin)
		for paths.Scan() {
			err := c.get(ctx, paths.Text(), func(body io.Reader) error {
				_, err := io.Copy(io.Discard, body)
				return err
			})
			if err == nil {
				fmt.Println("200 OK")
			} else {
				fmt.Println(err)
			}
		}
	}()
	select {
	case <-ctx.Done():
	case <-ended:
	}
	return nil
}

func writeMetrics(counted *metrics, path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(counted.write(file), file.Close())
}
