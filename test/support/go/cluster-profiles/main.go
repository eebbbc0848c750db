// Command cluster-profiles asks the community library of ClusterProfiles what it makes of provider files and profiles,
// and apimachinery what it makes of label selectors.
//
// A question is a line of JSON on standard input, its answer a line on standard output. See the type question.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sort"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/klog/v2"
	"sigs.k8s.io/cluster-inventory-api/apis/v1alpha1"
	"sigs.k8s.io/cluster-inventory-api/pkg/access"
)

type question struct {
	// One of file, build, selector.
	Op string `json:"op"`
	// Of file and build: a provider file.
	File string `json:"file"`
	// Of build: ClusterProfiles, built one after the other with one configuration.
	Profiles []json.RawMessage `json:"profiles"`
	// Of selector.
	Selector string            `json:"selector"`
	Labels   map[string]string `json:"labels"`
}

type plugin struct {
	APIVersion         string          `json:"apiVersion"`
	Command            string          `json:"command"`
	Args               []string        `json:"args"`
	Env                [][2]string     `json:"env"`
	ProvideClusterInfo bool            `json:"provideClusterInfo"`
	InteractiveMode    string          `json:"interactiveMode"`
	Config             json.RawMessage `json:"config"`
}

type provider struct {
	Name string `json:"name"`
	// Null: there is no exec config.
	Exec *plugin `json:"exec"`
	Args string  `json:"argsPolicy"`
	Env  string  `json:"envPolicy"`
}

type built struct {
	Error  string  `json:"error"`
	Server string  `json:"server"`
	CA     string  `json:"ca"`
	Proxy  string  `json:"proxy"`
	Exec   *plugin `json:"exec"`
}

func main() {
	klog.SetLogger(klog.Logger{})
	folder, err := os.MkdirTemp("", "cluster-profiles-")
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
	for lines.Scan() {
		var asked question
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			panic(err)
		}
		if err := encoder.Encode(answer(asked, filepath.Join(folder, "providers.json"))); err != nil {
			panic(err)
		}
	}
}

func answer(asked question, path string) any {
	if asked.Op == "selector" {
		selector, err := labels.Parse(asked.Selector)
		matched := err == nil && selector.Matches(labels.Set(asked.Labels))
		return map[string]any{"valid": err == nil, "matches": matched}
	}
	if err := os.WriteFile(path, []byte(asked.File), 0o600); err != nil {
		panic(err)
	}
	config, err := access.NewFromFile(path)
	if asked.Op == "file" {
		return map[string]any{"error": words(err), "providers": providers(config)}
	}
	results := []built{}
	for _, raw := range asked.Profiles {
		if err != nil {
			results = append(results, built{Error: words(err)})
			continue
		}
		results = append(results, build(config, raw))
	}
	return results
}

func providers(config *access.Config) []provider {
	found := []provider{}
	if config == nil {
		return found
	}
	for _, each := range config.Providers {
		found = append(found, provider{
			Name: each.Name,
			Exec: pluginOf(each.ExecConfig),
			Args: string(each.ProfileSourcedCLIArgsPolicy),
			Env:  string(each.ProfileSourcedEnvVarsPolicy),
		})
	}
	return found
}

// The library panics where variables are null.
func build(config *access.Config, raw json.RawMessage) (result built) {
	defer func() {
		if cause := recover(); cause != nil {
			result = built{Error: fmt.Sprint("panic: ", cause)}
		}
	}()
	profile := &v1alpha1.ClusterProfile{}
	if err := json.Unmarshal(raw, profile); err != nil {
		return built{Error: words(err)}
	}
	made, err := config.BuildConfigFromCP(profile)
	if err != nil {
		return built{Error: words(err)}
	}
	return built{
		Server: made.Host,
		CA:     string(made.CAData),
		Proxy:  proxy(made),
		Exec:   pluginOf(made.ExecProvider),
	}
}

func proxy(made *rest.Config) string {
	request, err := http.NewRequest(http.MethodGet, "https://host", nil)
	if err != nil {
		panic(err)
	}
	url, err := made.Proxy(request)
	switch {
	case err != nil:
		return "error: " + err.Error()
	case url == nil:
		return ""
	}
	return url.String()
}

func pluginOf(exec *clientcmdapi.ExecConfig) *plugin {
	if exec == nil {
		return nil
	}
	env := [][2]string{}
	for _, each := range exec.Env {
		env = append(env, [2]string{each.Name, each.Value})
	}
	// What a profile changed comes in the order of a Go map.
	sort.SliceStable(env, func(a, b int) bool { return env[a][0] < env[b][0] })
	args := exec.Args
	if args == nil {
		args = []string{}
	}
	return &plugin{
		APIVersion:         exec.APIVersion,
		Command:            exec.Command,
		Args:               args,
		Env:                env,
		ProvideClusterInfo: exec.ProvideClusterInfo,
		InteractiveMode:    string(exec.InteractiveMode),
		Config:             config(exec.Config),
	}
}

func config(object runtime.Object) json.RawMessage {
	unknown, ok := object.(*runtime.Unknown)
	if !ok || !json.Valid(unknown.Raw) {
		return nil
	}
	return unknown.Raw
}

func words(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
