package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"time"
	"unsafe"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/credentialprovider"
	"k8s.io/kubernetes/pkg/credentialprovider/plugin"
	testingclock "k8s.io/utils/clock/testing"
)

// A pull. Its providers are programs that print what the step says.
type step struct {
	// Milliseconds since the start.
	At    int64  `json:"at"`
	Image string `json:"image"`
	// By the provider's name.
	Prints map[string]string `json:"prints"`
	// None: a pod without one.
	ServiceAccount string            `json:"serviceAccount"`
	UID            string            `json:"uid"`
	Token          string            `json:"token"`
	Annotations    map[string]string `json:"annotations"`
}

type sessionAnswer struct {
	// That of the registration.
	Error string       `json:"error"`
	Steps []stepAnswer `json:"steps"`
}

type stepAnswer struct {
	Providers []providerAnswer `json:"providers"`
	// The user names of the credentials that the kubelet would try, in order.
	Found []string `json:"found"`
	// How many answers the caches have, expired ones too.
	Cached []int `json:"cached"`
}

type providerAnswer struct {
	// What the plugin read; null: it did not run.
	Request *string `json:"request"`
	Error   string  `json:"error"`
	// The user name and password of each key.
	Auth map[string][2]string `json:"auth"`
}

// The kubelet registers its plugins once.
//
//go:linkname registered k8s.io/kubernetes/pkg/credentialprovider/plugin.providers
var registered []struct {
	name string
	impl unsafe.Pointer
}

//go:linkname registeredNames k8s.io/kubernetes/pkg/credentialprovider/plugin.seenProviderNames
var registeredNames sets.String

//go:linkname provide k8s.io/kubernetes/pkg/credentialprovider/plugin.(*pluginProvider).provide
func provide(
	provider unsafe.Pointer, image, namespace, pod string, podUID types.UID, serviceAccount string,
) (credentialprovider.DockerConfig, *credentialprovider.ServiceAccountCoordinates, error)

// Prints what it finds beside it, and keeps what it read.
const program = `#!/bin/sh
cat >"$0.request"
cat "$0.stdout"
`

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func runSession(asked question, folder string) sessionAnswer {
	registered, registeredNames = nil, sets.NewString()
	path := writeConfig(asked.Files, folder)
	bin := filepath.Join(folder, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		panic(err)
	}
	for _, step := range asked.Steps {
		for name := range step.Prints {
			write(filepath.Join(bin, name), program)
		}
	}
	now := testingclock.NewFakeClock(start)
	var current step
	err := plugin.RegisterCredentialProviderPlugins(path, bin,
		func(namespace, name string, _ *authenticationv1.TokenRequest) (*authenticationv1.TokenRequest, error) {
			return &authenticationv1.TokenRequest{Status: authenticationv1.TokenRequestStatus{Token: current.Token}}, nil
		},
		func(namespace, name string) (*corev1.ServiceAccount, error) {
			account := &corev1.ServiceAccount{}
			account.UID, account.Annotations = types.UID(current.UID), current.Annotations
			return account, nil
		},
	)
	if err != nil {
		return sessionAnswer{Error: strings.ReplaceAll(err.Error(), folder+"/", "")}
	}
	caches := onClock(now)
	answers := sessionAnswer{}
	for _, current = range asked.Steps {
		now.SetTime(start.Add(time.Duration(current.At) * time.Millisecond))
		answers.Steps = append(answers.Steps, pull(current, bin))
		last := &answers.Steps[len(answers.Steps)-1]
		for _, entries := range caches {
			last.Cached = append(last.Cached, entries())
		}
	}
	return answers
}

func pull(step step, bin string) stepAnswer {
	pulled := stepAnswer{Providers: []providerAnswer{}}
	keyring := &credentialprovider.BasicDockerKeyring{}
	for _, each := range registered {
		file := filepath.Join(bin, each.name)
		write(file+".stdout", step.Prints[each.name])
		os.Remove(file + ".request")
		config, _, err := provide(each.impl, step.Image, "default", "pod", "pod-uid", step.ServiceAccount)
		told := providerAnswer{Error: words(err), Auth: map[string][2]string{}}
		if request, err := os.ReadFile(file + ".request"); err == nil {
			text := string(request)
			told.Request = &text
		}
		for key, entry := range config {
			told.Auth[key] = [2]string{entry.Username, entry.Password}
		}
		pulled.Providers = append(pulled.Providers, told)
		keyring.Add(nil, config)
	}
	pulled.Found = found(keyring, step.Image)
	return pulled
}

// Sets the providers' clocks; gives what counts the entries of each cache.
func onClock(clock *testingclock.FakeClock) []func() int {
	caches := []func() int{}
	keyring := reflect.ValueOf(plugin.NewExternalCredentialProviderDockerKeyring("", "", "", "")).Elem()
	providers := inside(keyring, "providers")
	for place := range providers.Len() {
		provider := inside(providers.Index(place).Elem().Elem(), "provider").Elem()
		cache := inside(provider, "cache").Elem().Elem()
		policy := inside(cache, "expirationPolicy").Elem().Elem()
		inside(provider, "clock").Set(reflect.ValueOf(clock))
		inside(policy, "clock").Set(reflect.ValueOf(clock))
		inside(provider, "lastCachePurge").Set(reflect.ValueOf(clock.Now()))
		store := inside(cache, "cacheStorage").Interface().(interface{ ListKeys() []string })
		caches = append(caches, func() int { return len(store.ListKeys()) })
	}
	return caches
}

// A field that a struct does not export.
func inside(value reflect.Value, name string) reflect.Value {
	field := value.FieldByName(name)
	return reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
}

func write(file, text string) {
	if err := os.WriteFile(file, []byte(text), 0o700); err != nil {
		panic(err)
	}
}
