package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	_ "unsafe" // for go:linkname

	"k8s.io/apimachinery/pkg/util/validation/field"
	_ "k8s.io/kubernetes/pkg/credentialprovider/plugin"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
)

//go:linkname readCredentialProviderConfig k8s.io/kubernetes/pkg/credentialprovider/plugin.readCredentialProviderConfig
func readCredentialProviderConfig(path string) (*kubeletconfig.CredentialProviderConfig, string, error)

//go:linkname validateCredentialProviderConfig k8s.io/kubernetes/pkg/credentialprovider/plugin.validateCredentialProviderConfig
func validateCredentialProviderConfig(config *kubeletconfig.CredentialProviderConfig, withTokens bool) field.ErrorList

type configAnswer struct {
	Error     string     `json:"error"`
	Hash      string     `json:"hash"`
	Providers []provider `json:"providers"`
}

type provider struct {
	Name        string   `json:"name"`
	MatchImages []string `json:"matchImages"`
	// Milliseconds.
	DefaultCache float64  `json:"defaultCache"`
	APIVersion   string   `json:"apiVersion"`
	Args         []string `json:"args"`
	// Pairs of name and value.
	Env             [][2]string      `json:"env"`
	TokenAttributes *tokenAttributes `json:"tokenAttributes"`
}

type tokenAttributes struct {
	Audience  string   `json:"audience"`
	CacheType string   `json:"cacheType"`
	Required  bool     `json:"required"`
	Keys      []string `json:"keys"`
	Optional  []string `json:"optional"`
}

// Reads and validates a configuration: one file, or a folder of several.
func readConfig(files map[string]string, folder string) configAnswer {
	config, hash, err := readCredentialProviderConfig(writeConfig(files, folder))
	if err != nil {
		return configAnswer{Error: strings.ReplaceAll(err.Error(), folder+"/", "")}
	}
	if errs := validateCredentialProviderConfig(config, true); len(errs) > 0 {
		// As RegisterCredentialProviderPlugins puts it.
		return configAnswer{Error: fmt.Sprintf("failed to validate credential provider config: %v", errs.ToAggregate())}
	}
	read := configAnswer{Hash: hash}
	for _, each := range config.Providers {
		next := provider{
			Name:         each.Name,
			MatchImages:  each.MatchImages,
			DefaultCache: float64(each.DefaultCacheDuration.Duration) / 1e6,
			APIVersion:   each.APIVersion,
			Args:         append([]string{}, each.Args...),
			Env:          [][2]string{},
		}
		for _, variable := range each.Env {
			next.Env = append(next.Env, [2]string{variable.Name, variable.Value})
		}
		if tokens := each.TokenAttributes; tokens != nil {
			next.TokenAttributes = &tokenAttributes{
				Audience:  tokens.ServiceAccountTokenAudience,
				CacheType: string(tokens.CacheType),
				Required:  *tokens.RequireServiceAccount,
				Keys:      append([]string{}, tokens.RequiredServiceAccountAnnotationKeys...),
				Optional:  append([]string{}, tokens.OptionalServiceAccountAnnotationKeys...),
			}
		}
		read.Providers = append(read.Providers, next)
	}
	return read
}

// The path for --image-credential-provider-config.
func writeConfig(files map[string]string, folder string) string {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		panic(err)
	}
	path := folder
	for name, text := range files {
		path = filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			panic(err)
		}
	}
	if len(files) == 1 {
		return path
	}
	return folder
}
