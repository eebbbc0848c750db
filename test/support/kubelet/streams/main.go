// Command streams is the part of a kubelet that streams: exec, attach, port-forward and logs, over WebSocket and SPDY, by
// the library that container runtimes use. Its containers are no containers: commands run here, as this user, with the
// folder that it is told as their working directory. `log` in there is each container’s log, and what is attached is
// `tee -a log`. Only clients of a CA are served: the API server.
//
//	streams FOLDER SERVING_CERTIFICATE SERVING_KEY CLIENT_CA
//
// Prints its port, and ends when its stdin does.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/creack/pty"
	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

const (
	idle     = time.Hour
	creation = 30 * time.Second
)

type node struct{ folder string }

func main() {
	host := node{folder: os.Args[1]}
	certificate, err := tls.LoadX509KeyPair(os.Args[2], os.Args[3])
	must(err)
	authority, err := os.ReadFile(os.Args[4])
	must(err)
	clients := x509.NewCertPool()
	clients.AppendCertsFromPEM(authority)
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{certificate},
		ClientAuth:   tls.RequireAndVerifyClientCert,
		ClientCAs:    clients,
	})
	must(err)
	handler := http.NewServeMux()
	handler.HandleFunc("/exec/{namespace}/{pod}/{container}", host.exec)
	handler.HandleFunc("/attach/{namespace}/{pod}/{container}", host.attach)
	handler.HandleFunc("/portForward/{namespace}/{pod}", host.portForward)
	handler.HandleFunc("/containerLogs/{namespace}/{pod}/{container}", host.logs)
	go func() { must(http.Serve(listener, handler)) }()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (host node) exec(response http.ResponseWriter, request *http.Request) {
	options, err := remotecommand.NewOptions(request)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	remotecommand.ServeExec(response, request, host, request.PathValue("pod"), "", request.PathValue("container"),
		request.URL.Query()["command"], options, idle, creation, remotecommand.SupportedStreamingProtocols)
}

func (host node) attach(response http.ResponseWriter, request *http.Request) {
	options, err := remotecommand.NewOptions(request)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	remotecommand.ServeAttach(response, request, host, request.PathValue("pod"), "", request.PathValue("container"),
		options, idle, creation, remotecommand.SupportedStreamingProtocols)
}

func (host node) portForward(response http.ResponseWriter, request *http.Request) {
	options, err := portforward.NewV4Options(request)
	if err != nil {
		http.Error(response, err.Error(), http.StatusBadRequest)
		return
	}
	portforward.ServePortForward(response, request, host, request.PathValue("pod"), "", options, idle, creation,
		portforward.SupportedProtocols)
}

// The log so far, and with `follow` what is added until the client is gone. `timestamps`: the time of reading.
func (host node) logs(response http.ResponseWriter, request *http.Request) {
	file, err := os.Open(filepath.Join(host.folder, "log"))
	if err != nil {
		http.Error(response, err.Error(), http.StatusNotFound)
		return
	}
	defer file.Close()
	query := request.URL.Query()
	lines := bufio.NewReader(file)
	for request.Context().Err() == nil {
		line, err := lines.ReadString('\n')
		if line != "" && query.Get("timestamps") == "true" {
			line = time.Now().UTC().Format(time.RFC3339Nano) + " " + line
		}
		_, _ = io.WriteString(response, line)
		if err == nil {
			continue
		}
		if query.Get("follow") != "true" {
			return
		}
		response.(http.Flusher).Flush()
		time.Sleep(20 * time.Millisecond)
	}
}

func (host node) AttachContainer(ctx context.Context, name string, uid string, container string, in io.Reader,
	out, errs io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) error {
	command := []string{"tee", "-a", "log"}
	return host.ExecInContainer(ctx, name, uid, container, command, in, out, errs, tty, resize, 0)
}

func (host node) ExecInContainer(_ context.Context, _ string, _ string, _ string, words []string, in io.Reader,
	out, errs io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	command := exec.Command(words[0], words[1:]...)
	command.Dir = host.folder
	if tty {
		return onTerminal(command, in, out, resize)
	}
	command.Stdout, command.Stderr = out, errs
	if in != nil {
		// Not command.Stdin: the command would be waited for until the client closes its end.
		stdin, err := command.StdinPipe()
		if err != nil {
			return err
		}
		go func() {
			defer stdin.Close()
			_, _ = io.Copy(stdin, in)
		}()
	}
	return ended(command.Run())
}

func onTerminal(command *exec.Cmd, in io.Reader, out io.Writer, resize <-chan remotecommand.TerminalSize) error {
	terminal, err := pty.Start(command)
	if err != nil {
		return err
	}
	defer terminal.Close()
	go func() {
		for size := range resize {
			_ = pty.Setsize(terminal, &pty.Winsize{Rows: size.Height, Cols: size.Width})
		}
	}()
	if in != nil {
		go func() {
			_, _ = io.Copy(terminal, in)
			// The client is gone: as a terminal’s end does.
			_ = command.Process.Kill()
		}()
	}
	// It fails once the last process of the terminal has ended.
	_, _ = io.Copy(out, terminal)
	return ended(command.Wait())
}

func ended(err error) error {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return utilexec.CodeExitError{Err: err, Code: exit.ExitCode()}
	}
	return err
}

func (host node) PortForward(_ context.Context, _ string, _ string, port int32, stream io.ReadWriteCloser) error {
	connection, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(int(port))))
	if err != nil {
		return err
	}
	defer connection.Close()
	go func() {
		_, _ = io.Copy(connection, stream)
		_ = connection.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, connection)
	return err
}
