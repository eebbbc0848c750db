// docker-reference is a credential helper as docker's own project builds them: credentials.Serve over a store that
// does nothing but keep entries by the server's text. REFERENCE_STORE names the file that it keeps them in.
package main

import (
	"encoding/json"
	"os"

	"github.com/docker/docker-credential-helpers/credentials"
)

type entry struct{ Username, Secret string }

type store map[string]entry

func load() store {
	entries := store{}
	if bytes, err := os.ReadFile(os.Getenv("REFERENCE_STORE")); err == nil {
		if err := json.Unmarshal(bytes, &entries); err != nil {
			panic(err)
		}
	}
	return entries
}

func (entries store) save() error {
	bytes, err := json.Marshal(entries)
	if err != nil {
		return err
	}
	return os.WriteFile(os.Getenv("REFERENCE_STORE"), bytes, 0o600)
}

func (entries store) Add(creds *credentials.Credentials) error {
	entries[creds.ServerURL] = entry{creds.Username, creds.Secret}
	return entries.save()
}

func (entries store) Delete(serverURL string) error {
	delete(entries, serverURL)
	return entries.save()
}

func (entries store) Get(serverURL string) (string, string, error) {
	found, ok := entries[serverURL]
	if !ok {
		return "", "", credentials.NewErrCredentialsNotFound()
	}
	return found.Username, found.Secret, nil
}

func (entries store) List() (map[string]string, error) {
	names := map[string]string{}
	for serverURL, found := range entries {
		names[serverURL] = found.Username
	}
	return names, nil
}

func main() {
	credentials.Name = "docker-credential-lanyard"
	credentials.Serve(load())
}
