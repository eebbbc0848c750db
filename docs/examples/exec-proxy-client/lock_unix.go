//go:build !windows

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// Follows no link, and doesn't wait for the other end of a FIFO.
func openLockFile(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
}

// flock(2): it belongs to the opened file, so that the proxy, which opens the file again, can't have it meanwhile.
func tryLock(file *os.File) error {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if err == unix.EWOULDBLOCK {
		return errLocked
	}
	return err
}
