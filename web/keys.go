package web

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/crypto/bcrypt"
)

// How long a login and an invitation last. A night is shorter than the one, a
// guest finds his glasses within the other.
const (
	grantAge  = 18 * time.Hour
	inviteAge = 15 * time.Minute
)

// codeLetters are what a short code is made of: nothing that is read aloud or
// off a screen as something else.
const codeLetters = "ACDEFHJKLMNPRTUVWXY347"

// NewPIN makes a PIN of six digits.
func NewPIN() string {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
	if err != nil {
		panic(err) // crypto/rand does not fail on a system that can run this
	}
	return fmt.Sprintf("%06d", n)
}

// HashPIN is the slow hash under which a PIN is kept. A PIN of more than 72
// bytes is an error.
func HashPIN(pin string) (string, error) {
	b, err := bcrypt.GenerateFromPassword([]byte(pin), bcrypt.DefaultCost)
	if err != nil {
		return "", fmt.Errorf("web: PIN: %w", err)
	}
	return string(b), nil
}

// grant is what a bearer of a token may do: everything (the host, seat ""), or
// act for one seat. Only the token's hash is kept.
type grant struct {
	Hash string    `json:"hash"`
	Host bool      `json:"host,omitempty"`
	Seat string    `json:"seat,omitempty"`
	Till time.Time `json:"till"`
}

// invite is a seat's offer to a phone: by a long token in a QR code or by a
// short code read out. It is good once.
type invite struct {
	seat string
	till time.Time
}

// keyring holds logins and seats' keys, in a file of its own when one is
// named, so that nobody has to join again because the plug was pulled.
type keyring struct {
	file string
	now  func() time.Time

	mu      sync.Mutex
	grants  map[string]grant
	invites map[string]invite // by the hash of the code or token
}

func openKeyring(file string, now func() time.Time) (*keyring, error) {
	k := &keyring{file: file, now: now, grants: map[string]grant{}, invites: map[string]invite{}}
	if file == "" {
		return k, nil
	}
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err != nil {
		return nil, fmt.Errorf("web: keys: %w", err)
	}
	var list []grant
	if err := json.Unmarshal(b, &list); err != nil {
		return nil, fmt.Errorf("web: keys: %s is damaged (%w); remove it, and everybody joins again", file, err)
	}
	for _, g := range list {
		if g.Till.After(now()) {
			k.grants[g.Hash] = g
		}
	}
	return k, nil
}

func digest(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

func newToken() string {
	b := make([]byte, 32)
	if _, err := rand.Read(b); err != nil {
		panic(err)
	}
	return base64.RawURLEncoding.EncodeToString(b)
}

func newCode() string {
	b := make([]byte, 6)
	for i := range b {
		n, err := rand.Int(rand.Reader, big.NewInt(int64(len(codeLetters))))
		if err != nil {
			panic(err)
		}
		b[i] = codeLetters[n.Int64()]
	}
	return string(b)
}

// give makes a token for the host or a seat.
func (k *keyring) give(host bool, seat string) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t := newToken()
	g := grant{Hash: digest(t), Host: host, Seat: seat, Till: k.now().Add(grantAge)}
	k.grants[g.Hash] = g
	return t, k.save()
}

// who looks a token up.
func (k *keyring) who(token string) (grant, bool) {
	if token == "" || len(token) > 100 {
		return grant{}, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	g, ok := k.grants[digest(token)]
	if ok && !g.Till.After(k.now()) {
		delete(k.grants, g.Hash)
		return grant{}, false
	}
	return g, ok
}

// drop forgets one token.
func (k *keyring) drop(token string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.grants, digest(token))
	return k.save()
}

// revoke takes a seat's keys and open invitations back.
func (k *keyring) revoke(seat string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for h, g := range k.grants {
		if !g.Host && g.Seat == seat {
			delete(k.grants, h)
		}
	}
	for h, i := range k.invites {
		if i.seat == seat {
			delete(k.invites, h)
		}
	}
	return k.save()
}

// joined counts the phones that hold a seat's key.
func (k *keyring) joined() map[string]int {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := map[string]int{}
	for _, g := range k.grants {
		if !g.Host && g.Till.After(k.now()) {
			n[g.Seat]++
		}
	}
	return n
}

// invite makes a token and a short code for a seat; a new pair takes the place
// of the old one.
func (k *keyring) invite(seat string) (token, code string, till time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for h, i := range k.invites {
		if i.seat == seat || !i.till.After(k.now()) {
			delete(k.invites, h)
		}
	}
	token, code, till = newToken(), newCode(), k.now().Add(inviteAge)
	k.invites[digest(token)] = invite{seat, till}
	k.invites[digest(code)] = invite{seat, till}
	return token, code, till
}

// accept spends an invitation.
func (k *keyring) accept(code string) (seat string, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	i, ok := k.invites[digest(code)]
	if !ok || !i.till.After(k.now()) {
		return "", false
	}
	for h, other := range k.invites {
		if other.seat == i.seat {
			delete(k.invites, h)
		}
	}
	return i.seat, true
}

// save writes the grants beside the old file and renames: a pulled plug leaves
// the one or the other.
func (k *keyring) save() error {
	if k.file == "" {
		return nil
	}
	list := make([]grant, 0, len(k.grants))
	for h, g := range k.grants {
		if !g.Till.After(k.now()) {
			delete(k.grants, h)
			continue
		}
		list = append(list, g)
	}
	b, err := json.Marshal(list)
	if err != nil {
		return fmt.Errorf("web: keys: %w", err)
	}
	f, err := os.CreateTemp(filepath.Dir(k.file), ".keys-*") // made with mode 0600
	if err != nil {
		return fmt.Errorf("web: keys: %w", err)
	}
	_, err = f.Write(b)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), k.file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("web: keys: %w", err)
	}
	return nil
}
