package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	authv1 "k8s.io/client-go/pkg/apis/clientauthentication/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd/api"
)

// ExecCredential with what KEP-2718 adds to it (API). v1 and v1beta1 are the same on the wire.
type execCredential struct {
	metav1.TypeMeta `json:",inline"`
	Spec            execCredentialSpec    `json:"spec"`
	Status          *execCredentialStatus `json:"status,omitempty"`
}

type execCredentialSpec struct {
	authv1.ExecCredentialSpec `json:",inline"`
	// The client holds the lock of this file. The proxy ends when it gets it.
	LockFilePath string `json:"lockFilePath,omitempty"`
}

type execCredentialStatus struct {
	authv1.ExecCredentialStatus `json:",inline"`
	// Without it the credential is for the API server itself, as today.
	ProxyConfig *proxyConfig `json:"proxyConfig,omitempty"`
}

type proxyConfig struct {
	// unix:///PATH or https://HOST:PORT.
	URL string `json:"url"`
	// PEM; base64 on the wire.
	CertificateAuthorityData []byte `json:"certificate-authority-data"`
}

// The exec plugin of a kubeconfig's user.
type plugin struct {
	config     *rest.Config
	metrics    *metrics
	isTerminal func() bool
}

// Runs it, and gives its answer. There are two kinds: one that ends after its answer, and one that is the proxy itself and
// runs on. So the answer is read as one JSON document, and not until the plugin ends. The end of the context ends it.
func (p *plugin) run(ctx context.Context, lockFilePath string) (status *execCredentialStatus, err error) {
	wantsTerminal, err := p.isInteractive()
	if err != nil {
		return nil, err
	}
	info, err := p.execInfo(wantsTerminal, lockFilePath)
	if err != nil {
		return nil, err
	}
	status, err = p.call(ctx, wantsTerminal, info)
	if err != nil || status.ProxyConfig != nil {
		p.metrics.count(err)
	}
	return status, p.inWords(err)
}

func (p *plugin) call(ctx context.Context, wantsTerminal bool, info []byte) (*execCredentialStatus, error) {
	provider := p.config.ExecProvider
	command := exec.CommandContext(ctx, provider.Command, provider.Args...)
	command.Env = os.Environ()
	for _, each := range provider.Env {
		command.Env = append(command.Env, each.Name+"="+each.Value)
	}
	command.Env = append(command.Env, "KUBERNETES_EXEC_INFO="+string(info))
	command.Stderr = os.Stderr
	if wantsTerminal {
		command.Stdin = os.Stdin
	}
	// A pipe of our own: Cmd's would be closed by Wait while we read.
	output, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	command.Stdout = input
	err = command.Start()
	input.Close()
	if err != nil {
		output.Close()
		return nil, err
	}

	var credential execCredential
	unreadable := json.NewDecoder(output).Decode(&credential)
	if unreadable == nil && credential.Status != nil && credential.Status.ProxyConfig != nil {
		// It may be the proxy itself, which then ends when our lock does. What else it prints is read and dropped, so
		// that it never waits for us.
		go func() {
			io.Copy(io.Discard, output)
			output.Close()
			command.Wait()
		}()
		return credential.Status, p.check(&credential)
	}
	// No proxy: it has to end well, as today.
	io.Copy(io.Discard, output)
	output.Close()
	if err := command.Wait(); err != nil {
		return nil, err
	}
	if unreadable != nil {
		return nil, fmt.Errorf("decoding stdout: %w", unreadable)
	}
	return credential.Status, p.check(&credential)
}

// In client-go's words where they are the same.
func (p *plugin) check(credential *execCredential) error {
	status := credential.Status
	switch {
	case credential.Kind != "ExecCredential" || credential.APIVersion != p.config.ExecProvider.APIVersion:
		return fmt.Errorf("exec plugin is configured to use API version %s, plugin returned version %s",
			p.config.ExecProvider.APIVersion, credential.APIVersion)
	case status == nil:
		return errors.New("exec plugin didn't return a status field")
	case (status.ClientCertificateData == "") != (status.ClientKeyData == ""):
		return errors.New("exec plugin returned only certificate or key, not both")
	case status.ProxyConfig != nil && status.ProxyConfig.URL == "":
		return errors.New("exec plugin returned a proxyConfig without url")
	case status.ProxyConfig == nil && status.Token == "" && status.ClientKeyData == "":
		return errors.New("exec plugin didn't return a token or cert/key pair")
	}
	return nil
}

func (p *plugin) inWords(err error) error {
	command := p.config.ExecProvider.Command
	var ended *exec.ExitError
	var notFound *exec.Error
	switch {
	case errors.As(err, &notFound):
		return fmt.Errorf("exec: executable %s not found: %s", command, p.config.ExecProvider.InstallHint)
	case errors.As(err, &ended):
		return fmt.Errorf("exec: executable %s failed with exit code %d", command, ended.ExitCode())
	case err != nil:
		return fmt.Errorf("exec: %w", err)
	}
	return nil
}

// KUBERNETES_EXEC_INFO.
func (p *plugin) execInfo(interactive bool, lockFilePath string) ([]byte, error) {
	provider := p.config.ExecProvider
	credential := execCredential{
		TypeMeta: metav1.TypeMeta{APIVersion: provider.APIVersion, Kind: "ExecCredential"},
		Spec:     execCredentialSpec{LockFilePath: lockFilePath},
	}
	credential.Spec.Interactive = interactive
	if provider.ProvideClusterInfo {
		known, err := rest.ConfigToExecCluster(p.config)
		if err != nil {
			return nil, err
		}
		cluster := authv1.Cluster{
			Server:                   known.Server,
			TLSServerName:            known.TLSServerName,
			InsecureSkipTLSVerify:    known.InsecureSkipTLSVerify,
			CertificateAuthorityData: known.CertificateAuthorityData,
			ProxyURL:                 known.ProxyURL,
			DisableCompression:       known.DisableCompression,
		}
		if config, ok := known.Config.(*runtime.Unknown); ok {
			cluster.Config = runtime.RawExtension{Raw: config.Raw}
		}
		credential.Spec.Cluster = &cluster
	}
	return json.Marshal(credential)
}

// Whether the plugin gets our stdin, to ask its user.
func (p *plugin) isInteractive() (bool, error) {
	switch p.config.ExecProvider.InteractiveMode {
	case api.NeverExecInteractiveMode:
		return false, nil
	case api.AlwaysExecInteractiveMode:
		if !p.isTerminal() {
			return false, errors.New("exec plugin cannot support interactive mode: standard input is not a terminal")
		}
		return true, nil
	default:
		return p.isTerminal(), nil
	}
}
