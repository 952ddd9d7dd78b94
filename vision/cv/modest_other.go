//go:build cgo && !linux

package cv

func forgetStart() {}
