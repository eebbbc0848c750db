// Command kube-apiserver is the real one, with the etcd that it needs in the same process: both end together.
//
//	kube-apiserver DATA_FOLDER FLAGS…
package main

import (
	"net/url"
	"os"
	"path/filepath"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	etcd, err := startEtcd(os.Args[1])
	if err != nil {
		os.Stderr.WriteString("etcd: " + err.Error() + "\n")
		os.Exit(1)
	}
	command := app.NewAPIServerCommand()
	command.SetArgs(append([]string{"--etcd-servers=" + etcd}, os.Args[2:]...))
	os.Exit(cli.Run(command))
}

// On sockets in the data folder: no port, and nobody else can reach it.
func startEtcd(folder string) (string, error) {
	config := embed.NewConfig()
	config.Dir = filepath.Join(folder, "etcd")
	config.LogLevel = "error"
	config.UnsafeNoFsync = true
	client := url.URL{Scheme: "unix", Path: filepath.Join(folder, "client.sock")}
	peer := url.URL{Scheme: "unix", Path: filepath.Join(folder, "peer.sock")}
	config.ListenClientUrls = []url.URL{client}
	config.AdvertiseClientUrls = []url.URL{client}
	config.ListenPeerUrls = []url.URL{peer}
	config.AdvertisePeerUrls = []url.URL{peer}
	config.InitialCluster = config.Name + "=" + peer.String()
	server, err := embed.StartEtcd(config)
	if err != nil {
		return "", err
	}
	<-server.Server.ReadyNotify()
	return client.String(), nil
}
