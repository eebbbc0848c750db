// docker-client does with docker's own code what docker does: it reads config.json of the folder DOCKER_CONFIG, and
// stores, gets, lists and erases by the helpers that it names. Orders come as lines of JSON on stdin, and each is
// answered by one on stdout.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"github.com/docker/cli/cli/config"
	"github.com/docker/cli/cli/config/types"
)

type order struct {
	// store, get, all or erase.
	Do     string           `json:"do"`
	Server string           `json:"server"`
	Entry  types.AuthConfig `json:"entry"`
}

type answer struct {
	Error   string                      `json:"error,omitempty"`
	Entry   *types.AuthConfig           `json:"entry,omitempty"`
	Entries map[string]types.AuthConfig `json:"entries,omitempty"`
}

func obey(given order) (answer, error) {
	file, err := config.Load(os.Getenv("DOCKER_CONFIG"))
	if err != nil {
		return answer{}, err
	}
	switch given.Do {
	case "store":
		return answer{}, file.GetCredentialsStore(given.Server).Store(given.Entry)
	case "erase":
		return answer{}, file.GetCredentialsStore(given.Server).Erase(given.Server)
	case "all":
		entries, err := file.GetAllCredentials()
		return answer{Entries: entries}, err
	default:
		entry, err := file.GetAuthConfig(given.Server)
		return answer{Entry: &entry}, err
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var given order
		if err := json.Unmarshal(lines.Bytes(), &given); err != nil {
			panic(err)
		}
		done, err := obey(given)
		if err != nil {
			done.Error = err.Error()
		}
		if err := out.Encode(done); err != nil {
			panic(err)
		}
	}
}
