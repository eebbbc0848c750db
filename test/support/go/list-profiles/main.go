// Command list-profiles lists ClusterProfiles with client-go, by pages, and decodes them to the community library's Go
// objects. It prints how long that took and how much memory.
//
//	list-profiles SERVER PAGE
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"syscall"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/cluster-inventory-api/apis/v1alpha1"
)

func main() {
	config := dynamic.ConfigFor(&rest.Config{Host: os.Args[1], QPS: -1})
	config.GroupVersion = &metav1.SchemeGroupVersion
	client, err := rest.UnversionedRESTClientFor(config)
	if err != nil {
		fail(err)
	}
	start := time.Now()
	profiles, err := list(client, os.Args[2])
	if err != nil {
		fail(err)
	}
	took := time.Since(start)
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		fail(err)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"milliseconds": float64(took.Microseconds()) / 1000,
		"profiles":     len(profiles),
		"peakBytes":    usage.Maxrss * 1024,
	})
}

func list(client *rest.RESTClient, page string) ([]v1alpha1.ClusterProfile, error) {
	var all []v1alpha1.ClusterProfile
	for token := ""; ; {
		request := client.Get().AbsPath("/apis/multicluster.x-k8s.io/v1alpha1/clusterprofiles").Param("limit", page)
		if token != "" {
			request = request.Param("continue", token)
		}
		body, err := request.Do(context.Background()).Raw()
		if err != nil {
			return nil, err
		}
		var read v1alpha1.ClusterProfileList
		if err := utiljson.Unmarshal(body, &read); err != nil {
			return nil, err
		}
		all = append(all, read.Items...)
		if token = read.Continue; token == "" {
			return all, nil
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
