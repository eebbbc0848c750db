package main

import (
	"context"
	"errors"
	"net/http"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
)

// client sends requests to an API server as its kubeconfig says: by the proxy of its exec plugin, or straight to the server
// where the plugin answers with a credential alone. It is an http.RoundTripper; many goroutines may use it.
type client struct {
	// Of the process: what it started ends with it.
	ctx    context.Context
	config *rest.Config
	// Empty: one of its own.
	lockPath string
	metrics  *metrics
	plugin   *plugin

	// Guards all below, and each run of the plugin, which may ask its user something.
	mu      sync.Mutex
	lock    *lockFile
	current *access
	// The plugin isn't run again before this, if nobody was reached after its last run.
	notBefore time.Time
	backoff   wait.Backoff
}

// What the plugin answered, made into a way to send requests.
type access struct {
	// With what was answered in place of the plugin.
	config    *rest.Config
	transport http.RoundTripper
	// Null: straight to the API server.
	listener *listener
	// Zero: never.
	expires time.Time
	// The server didn't take it.
	isRefused bool
	// Ends the plugin, if it is the proxy itself.
	endPlugin context.CancelFunc
}

func newClient(ctx context.Context, config *rest.Config, lockPath string) *client {
	counted := &metrics{}
	isTerminal := func() bool { return term.IsTerminal(int(os.Stdin.Fd())) }
	return &client{
		ctx:      ctx,
		config:   config,
		lockPath: lockPath,
		metrics:  counted,
		plugin:   &plugin{config: config, metrics: counted, isTerminal: isTerminal},
	}
}

// RoundTrip sends a request of the API server, whose address is in its URL.
func (c *client) RoundTrip(request *http.Request) (response *http.Response, err error) {
	err = c.use(request.Context(), func(used *access, isAgain bool) error {
		if isAgain && request.Body != nil {
			if request.GetBody == nil {
				return errors.New("the plugin's proxy has ended, and the request's body can't be sent twice")
			}
			request = request.Clone(request.Context())
			if request.Body, err = request.GetBody(); err != nil {
				return err
			}
		}
		response, err = used.transport.RoundTrip(request)
		if err == nil && response.StatusCode == http.StatusUnauthorized {
			c.refuse(used)
		}
		return err
	})
	return response, err
}

// Does something by the plugin's proxy. Where nobody listens any more, the plugin is run again, and it is done once more.
func (c *client) use(ctx context.Context, do func(used *access, isAgain bool) error) error {
	used, err := c.access(ctx, nil)
	if err != nil {
		return err
	}
	var gone *nobodyListens
	if err = do(used, false); !errors.As(err, &gone) {
		return err
	}
	if used, err = c.access(ctx, used); err != nil {
		return err
	}
	return do(used, true)
}

// What the plugin said last. It is run on first use, after its answer expired or was refused, and where nobody listens
// (`gone`). Of many that find the same listener gone, one runs the plugin, and the others have its answer.
func (c *client) access(ctx context.Context, gone *access) (*access, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil && c.current != gone && c.current.isGood() {
		return c.current, nil
	}
	next, err := c.newAccess(ctx)
	if err != nil {
		return nil, err
	}
	if c.current != nil && c.current == gone {
		c.current.endPlugin()
	}
	c.current = next
	return next, nil
}

func (c *client) newAccess(ctx context.Context) (*access, error) {
	if c.config.ExecProvider == nil {
		return newAccess(c.config, &execCredentialStatus{}, func() {})
	}
	// Before the plugin runs, so that its proxy never has the lock while we live.
	if err := c.takeLock(); err != nil {
		return nil, err
	}
	if err := c.waitForTurn(ctx); err != nil {
		return nil, err
	}
	running, end := context.WithCancel(c.ctx)
	status, err := c.plugin.run(running, c.lock.path())
	if err != nil {
		end()
		return nil, err
	}
	next, err := newAccess(c.config, status, end)
	if err != nil {
		end()
		return nil, err
	}
	return next, nil
}

func (c *client) takeLock() (err error) {
	switch {
	case c.lock != nil:
		return nil
	case c.lockPath == "":
		c.lock, err = takeOwnLock()
	default:
		c.lock, err = takeLock(c.lockPath)
	}
	return err
}

// A plugin whose proxy nobody ever finds isn't run in a loop.
func (c *client) waitForTurn(ctx context.Context) error {
	if c.current == nil || c.current.wasReached() {
		c.notBefore = time.Time{}
		c.backoff = wait.Backoff{Duration: 100 * time.Millisecond, Factor: 2, Steps: 9, Cap: 30 * time.Second}
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(time.Until(c.notBefore)):
	}
	c.notBefore = time.Now().Add(c.backoff.Step())
	return nil
}

func newAccess(config *rest.Config, status *execCredentialStatus, end context.CancelFunc) (*access, error) {
	next := &access{config: rest.CopyConfig(config), endPlugin: end}
	next.config.ExecProvider = nil
	if status.ProxyConfig != nil {
		var err error
		if next.listener, err = newListener(status.ProxyConfig.URL); err != nil {
			return nil, err
		}
		if next.config, err = next.listener.configure(next.config, status); err != nil {
			return nil, err
		}
	} else if status.ClientKeyData != "" {
		next.config.CertData, next.config.KeyData = []byte(status.ClientCertificateData), []byte(status.ClientKeyData)
	}
	if status.Token != "" {
		next.config.BearerToken = status.Token
	}
	if status.ExpirationTimestamp != nil {
		next.expires = status.ExpirationTimestamp.Time
	}
	var err error
	next.transport, err = rest.TransportFor(next.config)
	return next, err
}

func (a *access) isGood() bool {
	return !a.isRefused && (a.expires.IsZero() || time.Now().Before(a.expires))
}

func (a *access) wasReached() bool {
	return a.listener == nil || a.listener.wasReached.Load()
}

// After a 401: the next request runs the plugin.
func (c *client) refuse(used *access) {
	c.mu.Lock()
	defer c.mu.Unlock()
	used.isRefused = c.config.ExecProvider != nil
}

// Gives the lock free: the proxy ends.
func (c *client) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lock != nil {
		c.lock.release()
	}
}
