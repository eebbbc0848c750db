package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// A lock that this process holds until it ends, however it ends: the system gives it free when the process is gone, after
// SIGKILL, too. The proxy waits for that (KEP-2718, Proxy Shutdown). Child processes don't inherit it: Go opens each file
// close-on-exec.
type lockFile struct {
	file *os.File
	// Made for this process alone, and removed with it.
	isOwn bool
}

var errLocked = errors.New("another process holds it; each client needs a lock file of its own")

// Takes the lock of this file, which is made where it is missing. It fails at once where another process has it.
func takeLock(path string) (*lockFile, error) {
	file, err := openLockFile(path)
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	lock := &lockFile{file: file}
	if err := lock.take(); err != nil {
		file.Close()
		return nil, fmt.Errorf("lock file %s: %w", path, err)
	}
	return lock, nil
}

// Makes a lock file that no other process has, in a folder of this user alone, and takes its lock.
func takeOwnLock() (*lockFile, error) {
	folder, err := lockFolder()
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", err)
	}
	removeLeftOver(folder)
	for {
		file, err := os.CreateTemp(folder, "lock-*")
		if err != nil {
			return nil, fmt.Errorf("lock file: %w", err)
		}
		lock := &lockFile{file: file, isOwn: true}
		err = lock.take()
		if err == nil {
			return lock, nil
		}
		file.Close()
		if !errors.Is(err, errLocked) && !errors.Is(err, errReplaced) {
			os.Remove(file.Name())
			return nil, fmt.Errorf("lock file %s: %w", file.Name(), err)
		}
		// Another client came between and took it for a left-over one.
	}
}

var errReplaced = errors.New("it was removed or replaced meanwhile")

func (lock *lockFile) take() error {
	status, err := lock.file.Stat()
	if err != nil {
		return err
	}
	if !status.Mode().IsRegular() {
		return errors.New("it is no regular file")
	}
	if err := tryLock(lock.file); err != nil {
		return err
	}
	// A lock of a file that has no name any more would say nothing to the proxy.
	if named, err := os.Lstat(lock.file.Name()); err != nil || !os.SameFile(status, named) {
		return errReplaced
	}
	return nil
}

// What the proxy is told.
func (lock *lockFile) path() string {
	return lock.file.Name()
}

// Gives the lock free: the proxy ends.
func (lock *lockFile) release() {
	if lock.isOwn {
		os.Remove(lock.file.Name())
	}
	lock.file.Close()
}

// Where lock files are: XDG_RUNTIME_DIR, which is in memory and ends with the login, or the user's cache.
func lockFolder() (string, error) {
	base := os.Getenv("XDG_RUNTIME_DIR")
	if !filepath.IsAbs(base) {
		var err error
		if base, err = os.UserCacheDir(); err != nil {
			return "", err
		}
	}
	folder := filepath.Join(base, "exec-proxy-client")
	return folder, os.MkdirAll(folder, 0o700)
}

// Removes lock files of clients that were killed: those whose lock can be had.
func removeLeftOver(folder string) {
	paths, _ := filepath.Glob(filepath.Join(folder, "lock-*"))
	for _, path := range paths {
		file, err := openLockFile(path)
		if err != nil {
			continue
		}
		if tryLock(file) == nil {
			os.Remove(path)
		}
		file.Close()
	}
}
