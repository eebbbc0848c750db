package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"sync"
)

// The client's metric of KEP-2718 (Monitoring Requirements). It counts what rest_client_exec_plugin_call_total counts, with
// the same labels, for calls that got a proxy, or failed before they could say whether they would have.
const withProxyCallTotal = "rest_client_exec_plugin_with_proxy_call_total"

const help = "Number of calls to an exec plugin for a proxy, partitioned by the type of event encountered " +
	"(no_error, plugin_execution_error, plugin_not_found_error, client_internal_error) and the plugin's exit code. " +
	"The exit code is 0 for a plugin that is the proxy itself and runs on, and 1 where the plugin didn't run to its end."

type metrics struct {
	mu    sync.Mutex
	calls map[string]int
}

// As client-go's incrementCallsMetric does it: err is what came of the plugin's run.
func (m *metrics) count(err error) {
	code, status := 1, "client_internal_error"
	var ended *exec.ExitError
	var notFound *exec.Error
	var noPath *fs.PathError
	switch {
	case err == nil:
		code, status = 0, "no_error"
	case errors.As(err, &ended):
		code, status = ended.ExitCode(), "plugin_execution_error"
	case errors.As(err, &notFound), errors.As(err, &noPath):
		status = "plugin_not_found_error"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls == nil {
		m.calls = map[string]int{}
	}
	m.calls[fmt.Sprintf(`{call_status="%s",code="%d"}`, status, code)]++
}

// Writes them in Prometheus' text format.
func (m *metrics) write(to io.Writer) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	lines := []string{}
	for labels, count := range m.calls {
		lines = append(lines, fmt.Sprintf("%s%s %d\n", withProxyCallTotal, labels, count))
	}
	slices.Sort(lines)
	_, err := fmt.Fprintf(to, "# HELP %[1]s [ALPHA] %[2]s\n# TYPE %[1]s counter\n%[3]s",
		withProxyCallTotal, help, strings.Join(lines, ""))
	return err
}
