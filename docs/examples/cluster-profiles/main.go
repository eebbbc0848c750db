// Command cluster-profiles lists the pods of each cluster that a hub publishes as a ClusterProfile. It is a controller
// in small: the community library makes a client of each profile, and Lanyard gives its credential.
//
//	go run . -hub hub -namespace team -clusterprofile-provider-file providers.json
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/cluster-inventory-api/apis/v1alpha1"
	"sigs.k8s.io/cluster-inventory-api/pkg/access"
)

func main() {
	hub := flag.String("hub", "", "the hub's context in the kubeconfig")
	namespace := flag.String("namespace", "default", "where the hub has its ClusterProfiles")
	providerFile := access.SetupProviderFileFlag()
	flag.Parse()

	profiles, err := listProfiles(*hub, *namespace)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	failed := false
	for _, profile := range profiles {
		names, err := listPods(*providerFile, &profile)
		if err != nil {
			fmt.Printf("%s: %v\n", profile.Name, err)
			failed = true
			continue
		}
		fmt.Printf("%s: %d pods %q\n", profile.Name, len(names), names)
	}
	if failed {
		os.Exit(1)
	}
}

func listProfiles(hubContext, namespace string) ([]v1alpha1.ClusterProfile, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	overrides := &clientcmd.ConfigOverrides{CurrentContext: hubContext}
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
	if err != nil {
		return nil, err
	}
	hub, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	path := fmt.Sprintf("/apis/multicluster.x-k8s.io/v1alpha1/namespaces/%s/clusterprofiles", namespace)
	body, err := hub.RESTClient().Get().AbsPath(path).Do(context.Background()).Raw()
	if err != nil {
		return nil, err
	}
	var list v1alpha1.ClusterProfileList
	if err := json.Unmarshal(body, &list); err != nil {
		return nil, err
	}
	return list.Items, nil
}

func listPods(providerFile string, profile *v1alpha1.ClusterProfile) ([]string, error) {
	// Anew for each profile: where a policy lets a profile's arguments through, v0.1.3 adds them to what it has read.
	providers, err := access.NewFromFile(providerFile)
	if err != nil {
		return nil, err
	}
	config, err := providers.BuildConfigFromCP(profile)
	if err != nil {
		return nil, err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	pods, err := client.CoreV1().Pods(metav1.NamespaceAll).List(context.Background(), metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, pod := range pods.Items {
		names = append(names, pod.Namespace+"/"+pod.Name)
	}
	return names, nil
}
