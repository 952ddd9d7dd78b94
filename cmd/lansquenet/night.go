package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"lansquenet/cmd/internal/config"
	"lansquenet/cmd/internal/desk"
	"lansquenet/cmd/internal/doctor"
	"lansquenet/cmd/internal/house"
	"lansquenet/hw"
	"lansquenet/ledger"
	"lansquenet/ledger/evidence"
	"lansquenet/ledger/journal"
	"lansquenet/ledger/say"
	"lansquenet/vision"
	"lansquenet/vision/cv"
	"lansquenet/web"
)

// nightCommands are run and demo.
var nightCommands = []command{
	{"run", "[--config FILE] [--listen ADDR] [--data DIR] [--camera SOURCE]",
		"hosts a night: camera, buttons, chips, journal and pages", runNight},
	{"demo", "[--headless] [--seed N] [--coups N] [--speed X] [--json]",
		"the same program on a rendered table with scripted players", runDemo},
}

// night is everything a night is hosted with. run fills it from the
// configuration, demo from its rendered table; what is done with it is the same.
type night struct {
	cfg      config.Config
	out      io.Writer
	log      *slog.Logger
	source   vision.FrameSource // nil: the host enters the cards
	format   func() *cv.Format  // what the source says of itself, nil while it doesn't
	buttons  hw.Buttons
	lamps    house.Lamps
	also     []func(context.Context) error
	now      func() time.Time // nil: the machine's clock
	dice     io.Reader        // nil: the machine's
	pages    bool
	over     func()       // when the pictures end
	passing  bool         // the data folder is gone afterwards, and its PIN with it
	pictures web.Evidence // of the cards, once host has opened them
	desk     *desk.Desk   // of the camera, once host has opened it
	// seated is told of the table before its first frame.
	seated func(*ledger.Croupier, *house.Camera)
	// trouble is what else the host should know, for his page.
	trouble func() []string
}

// runNight is the command run.
func runNight(ctx context.Context, t terminal, args []string) error {
	fs := flags(t, "run")
	file := fs.String("config", "", "`FILE` with the configuration")
	listen := fs.String("listen", "", "`ADDR` of the pages, as :8080")
	data := fs.String("data", "", "`DIR` of the nights")
	source := fs.String("camera", "", "`SOURCE` of the frames, or none")
	if _, err := parse(fs, args, 0, 0); err != nil {
		return err
	}
	cfg, err := config.Load(*file, os.Environ())
	if err != nil {
		return err
	}
	for _, f := range []struct{ to, from *string }{{&cfg.Web.Listen, listen}, {&cfg.Data.Dir, data}, {&cfg.Camera.Source, source}} {
		if *f.from != "" {
			*f.to = *f.from
		}
	}
	n := night{cfg: cfg, out: t.out, log: logger(t.err), pages: true}
	if cfg.Camera.Source != "none" {
		var format atomic.Pointer[cv.Format]
		n.format = format.Load
		n.source, err = cv.Open(ctx, cfg.Camera.Source, cv.SourceOptions{Width: cfg.Camera.Width, Height: cfg.Camera.Height,
			FPS: cfg.Camera.FPS, Controls: cfg.Camera.Controls, Note: func(s string) { n.log.Warn(s) }, Opened: func(f cv.Format) { format.Store(&f) },
			// A camera that is not there yet is no reason not to play.
			Patient: true})
		if err != nil {
			return fmt.Errorf("the camera %w (name another with --camera, or none when the host enters the cards)", err)
		}
		defer n.source.Close()
	}
	panel, err := hw.Open(cfg.Buttons, n.log)
	if err != nil {
		return err
	}
	if cfg.Buttons.Defaults().Layout != hw.None || cfg.Buttons.Keypad != "" {
		n.buttons, n.lamps = panel, panel
		n.also = append(n.also, panel.Run)
	}
	var power atomic.Value
	n.also = append(n.also, func(ctx context.Context) error { return watchPower(ctx, &power) })
	n.trouble = func() (says []string) {
		if text, _ := power.Load().(string); text != "" {
			says = append(says, text)
		}
		troubles, _ := panel.Troubles()
		for _, x := range troubles {
			says = append(says, x.Says)
		}
		return says
	}
	_, err = n.host(ctx)
	return err
}

// watchPower keeps what a Raspberry Pi says of its supply. Too little of it is a
// common cause of camera trouble, and nobody looks for it there.
func watchPower(ctx context.Context, says *atomic.Value) error {
	for {
		text, known := doctor.Power(ctx)
		if !known {
			return nil // no Raspberry Pi
		}
		says.Store(text)
		select {
		case <-time.After(5 * time.Second):
		case <-ctx.Done():
			return nil
		}
	}
}

// host opens the doors in an order in which nothing is touched before everything
// that can fail has been tried: the port, the reader, the data folder; then it
// hosts the night and returns how it stood at the end.
func (n night) host(ctx context.Context) (ledger.Final, error) {
	var final ledger.Final
	parts := house.Parts{Buttons: n.buttons, Meaning: meaning(n.cfg.Buttons.Defaults().Unit), Lamps: n.lamps, Also: n.also, Over: n.over, Log: n.log}
	if n.pages {
		l, err := listen(n.cfg.Web.Listen)
		if err != nil {
			return final, err
		}
		defer l.Close()
		parts.Listener = l
	}
	var set desk.Settings
	var reader *desk.Reader
	if n.source != nil {
		var err error
		if set, err = desk.Load(n.cfg.Data.Dir); err != nil {
			n.log.Warn(err.Error())
		}
		if reader, n.cfg.Camera.Deck, err = desk.OpenReader(n.cfg.Data.Dir, n.cfg.Camera.Deck, set, n.log); err != nil {
			return final, fmt.Errorf("the reader: %w", err)
		}
		defer reader.Close()
	}
	store, err := openJournal(n.cfg.Data.Dir)
	if err != nil {
		return final, err
	}
	defer store.Close()
	croupier, err := ledger.Open(ctx, store, ledger.Options{Now: n.now, Chance: n.dice, Program: built,
		Deck: n.cfg.Camera.Deck, Camera: password.ReplaceAllString(n.cfg.Camera.Source, "//")})
	if err != nil {
		return final, err
	}
	parts.Croupier = croupier
	for _, m := range croupier.State().Notice {
		n.log.Info(say.In(n.cfg.Web.Language).Say(m))
	}
	if n.source != nil {
		cam := house.NewCamera(croupier, n.log)
		watch := vision.Watch(n.source, reader, vision.Options{ROI: n.cfg.Camera.Area(), Possible: cam.Possible, Sure: n.cfg.Camera.Sure})
		cam.Watch(watch)
		if n.seated != nil {
			n.seated(croupier, cam)
		}
		parts.Camera = cam
		n.desk = desk.New(desk.Options{Data: n.cfg.Data.Dir, Source: password.ReplaceAllString(n.cfg.Camera.Source, "//"), Deck: n.cfg.Camera.Deck,
			Set: set, Table: croupier, Camera: cam, Watcher: watch, Reader: reader, Format: n.format, Marks: store.Marks, Log: n.log})
		parts.Also = append(parts.Also, n.desk.Run)
	}
	pictures, err := n.openPictures()
	if err != nil {
		return final, err
	}
	if pictures != nil {
		defer pictures.Close()
		n.pictures = pictures
		if n.keeps() {
			parts.Camera.Keep = pictures.Put
		}
	}
	if n.pages {
		if err := n.openPages(&parts, store); err != nil {
			return final, err
		}
	}
	err = house.Run(ctx, parts)
	return croupier.Final(), err
}

// keeps says whether this night's cards are pictured.
func (n night) keeps() bool { return n.source != nil && n.cfg.Data.Keep }

// openPictures opens the pictures of cards: to keep this night's, or to show
// those of nights before, played with a camera, when this one has none. It is nil
// when there are none and none will be.
func (n night) openPictures() (*evidence.Store, error) {
	if _, err := os.Stat(n.cfg.Data.Path(evidence.File)); err != nil && !n.keeps() {
		return nil, nil
	}
	pictures, err := evidence.Open(n.cfg.Data.Dir, evidence.Options{MaxBytes: int64(n.cfg.Data.MB) << 20})
	if err != nil {
		return nil, err
	}
	if aside := pictures.Aside(); aside != "" {
		n.log.Warn("the pictures of earlier cards were broken and set aside; the nights themselves are whole", "file", aside)
	}
	return pictures, nil
}

// password is who opens a camera's address and with what; the journal, which
// every viewer may read, names the source without it.
var password = regexp.MustCompile(`//[^/@\s]*@`)

// openPages makes the pages' server and says where it is.
func (n night) openPages(p *house.Parts, store journal.Store) error {
	port := p.Listener.Addr().(*net.TCPAddr).Port
	base := n.cfg.Web.Address
	if ip := lanAddress(); base == "" && ip != "" {
		base = fmt.Sprintf("http://%s:%d", ip, port)
	}
	hash, err := n.pin(base)
	if err != nil {
		return err
	}
	o := web.Options{Table: p.Croupier, Store: store, Evidence: n.pictures, PINHash: hash, Keys: n.cfg.Data.Path("keys.json"), Hosts: n.cfg.Web.Names,
		Base: base, Troubles: n.trouble, Log: n.log, Version: built, DefaultLang: n.cfg.Web.Language}
	if p.Camera != nil {
		o.Camera, o.Desk = p.Camera, n.desk
	}
	s, err := web.New(o)
	if err != nil {
		return err
	}
	p.Handler, p.Closing = s, s.Close
	fmt.Fprintf(n.out, "The table is at http://localhost:%d, the host's page at http://localhost:%d/host.\n", port, port)
	if base != "" {
		fmt.Fprintf(n.out, "Phones in the same network find it at %s.\n", base)
	}
	return nil
}

// pin is the hash of the host's PIN: of the one in the configuration, of the one
// made at an earlier start, or of a new one, which is told once.
func (n night) pin(base string) (hash string, err error) {
	if n.cfg.Web.HostPIN != "" {
		return web.HashPIN(n.cfg.Web.HostPIN)
	}
	file := n.cfg.Data.Path("host-pin")
	b, err := os.ReadFile(file)
	if err == nil {
		return strings.TrimSpace(string(b)), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("the host's PIN cannot be read: %w", err)
	}
	pin := web.NewPIN()
	if hash, err = web.HashPIN(pin); err != nil {
		return "", err
	}
	if err := os.WriteFile(file, []byte(hash+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("the host's PIN cannot be kept: %w", err)
	}
	if n.passing {
		fmt.Fprintf(n.out, "The host's PIN is %s, for this time only.\n", pin)
	} else {
		fmt.Fprintf(n.out, "The host's PIN is %s. It is told only now; delete %s to get a new one.\n", pin, file)
	}
	if base != "" {
		fmt.Fprintf(n.out, "Or scan this with the host's phone:\n%s", web.ConsoleQR(web.HostURL(base, pin)))
	}
	return hash, nil
}

// listen opens the port and says plainly when somebody else has it.
func listen(addr string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use: stop the other program (perhaps another lansquenet), or choose another port with --listen", addr)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s may not be used by this user: choose a port above 1023 with --listen", addr)
	case err != nil:
		return nil, fmt.Errorf("%s is no address to listen at (%v): write --listen :8080", addr, err)
	}
	return l, nil
}

// openJournal opens the data folder and says plainly when it cannot be written.
func openJournal(dir string) (*journal.SQLite, error) {
	store, err := journal.Open(dir)
	if errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR) {
		return nil, fmt.Errorf("the data folder %s cannot be written: give this user the right to, or name another with --data (%w)", dir, err)
	}
	return store, err
}

// lanAddress is this machine's address in its own network, "" when it has none.
func lanAddress() string {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	for _, a := range addrs {
		if n, ok := a.(*net.IPNet); ok && n.IP.IsPrivate() && n.IP.To4() != nil {
			return n.IP.String()
		}
	}
	return ""
}

// logger writes what happened, for those who look after the machine.
func logger(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelInfo}))
}
