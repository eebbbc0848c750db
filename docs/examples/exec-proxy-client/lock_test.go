package main

import (
	"errors"
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestTakesLocksOfRegularFilesAlone(t *testing.T) {
	for name, prepare := range map[string]func(path string){
		"a missing folder": func(path string) { os.Remove(path[:len(path)-len("/lock")]) },
		"a link": func(path string) {
			must(os.WriteFile(path+"-target", nil, 0o600))
			must(os.Symlink(path+"-target", path))
		},
		"a folder": func(path string) { must(os.Mkdir(path, 0o700)) },
		"a FIFO":   func(path string) { must(unix.Mkfifo(path, 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			path := t.TempDir() + "/lock"
			prepare(path)
			if _, err := takeLock(path); err == nil {
				t.Error("it took it")
			}
		})
	}
}

func TestALockIsOneProcesss(t *testing.T) {
	path := t.TempDir() + "/lock"
	first, err := takeLock(path)
	must(err)
	if _, err := takeLock(path); !errors.Is(err, errLocked) {
		t.Errorf("found %v", err)
	}
	first.release()
	second, err := takeLock(path)
	must(err)
	second.release()
	if _, err := os.Stat(path); err != nil {
		t.Error("a file that its user named is removed")
	}
}

func TestRemovesLeftOverLocksAlone(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	living, err := takeOwnLock()
	must(err)
	dead, err := takeOwnLock()
	must(err)
	// As a killed process leaves it.
	dead.file.Close()
	next, err := takeOwnLock()
	must(err)
	if _, err := os.Stat(dead.path()); !os.IsNotExist(err) {
		t.Error("the left-over one is there")
	}
	for _, lock := range []*lockFile{living, next} {
		if status, err := os.Stat(lock.path()); err != nil || status.Mode() != 0o600 {
			t.Errorf("%v %v", status, err)
		}
		lock.release()
	}
	entries, err := os.ReadDir(os.Getenv("XDG_RUNTIME_DIR") + "/exec-proxy-client")
	must(err)
	if len(entries) != 0 {
		t.Errorf("left: %v", entries)
	}
}

func TestALockOfAReplacedFileIsNone(t *testing.T) {
	path := t.TempDir() + "/lock"
	file, err := openLockFile(path)
	must(err)
	must(os.Remove(path))
	must(os.WriteFile(path, nil, 0o600))
	if err := (&lockFile{file: file}).take(); !errors.Is(err, errReplaced) {
		t.Errorf("found %v", err)
	}
}
