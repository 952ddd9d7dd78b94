package desk

import (
	"context"
	"errors"
	"image"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"lansquenet/cmd/internal/decks"
	"lansquenet/ledger/card"
	"lansquenet/vision"
	"lansquenet/vision/cv"
	"lansquenet/web"
)

// lesson is a deck being taught card by card. Frames come from the camera's
// goroutine, presses from the pages'.
type lesson struct {
	deck, pack string

	mu      sync.Mutex
	pupil   *decks.Pupil
	draft   *decks.Draft
	cards   []card.Card
	todo    []int  // cards that are to be laid, the next one first
	past    []int  // cards that were taken or left out, the latest last
	has     []bool // which cards have a picture
	taken   []int  // how often each card was taken: a new picture is a new address
	now     bool   // the next picture is to be taken, still or not
	trouble string
	like    *web.LessonCard // the card that the one just refused looks like
	checked bool
	twins   [][2]card.Card
	kept    bool
}

// StartLesson begins to teach a deck of a kind of pack. replace is the host's word
// that an older deck of that name may go.
func (d *Desk) StartLesson(ctx context.Context, deck, pack string, replace bool) error {
	d.press.Lock()
	defer d.press.Unlock()
	i := slices.IndexFunc(decks.Packs, func(p decks.Pack) bool { return p.Name == pack })
	if i < 0 {
		return &web.Refused{Code: "bad_pack"}
	}
	if _, err := decks.Folder(d.o.Data, deck); err != nil {
		return &web.Refused{Code: "bad_deck"}
	}
	names, err := decks.List(d.o.Data)
	if err != nil {
		return err
	}
	if slices.Contains(names, deck) && !replace {
		return &web.Refused{Code: "deck_exists"}
	}
	l := &lesson{deck: deck, pack: pack, cards: decks.Packs[i].Cards()}
	l.has, l.taken = make([]bool, len(l.cards)), make([]int, len(l.cards))
	for i := range l.cards {
		l.todo = append(l.todo, i)
	}
	if l.pupil, err = decks.NewPupil(decks.Patience); err != nil {
		return err
	}
	if l.draft, err = decks.NewDraft(d.o.Data, deck); err != nil {
		return errors.Join(err, l.pupil.Close())
	}
	// What is told until the frames come here was dealt for nobody.
	if err := d.setAside(ctx, func(vision.Event) {}, l.saw); err != nil {
		l.close()
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.lesson = l
	return nil
}

// saw takes the next picture, in the camera's goroutine.
func (l *lesson) saw(f vision.Frame, within image.Rectangle) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pupil == nil || l.kept {
		return
	}
	now := l.now && len(l.todo) > 0
	q, found, err := l.pupil.Watch(f, within, now)
	l.now = false
	switch {
	case err != nil:
		l.trouble = "camera.lesson.fault"
	case now && !found:
		l.trouble = "camera.lesson.nothing"
	case found && len(l.todo) > 0:
		l.trouble, l.like = "", nil
		i := l.todo[0]
		if err := l.draft.Take(l.cards[i], 1, f, q); err != nil {
			l.refuse(err)
			return
		}
		l.pupil.Took(q)
		l.has[i] = true
		l.taken[i]++
		l.next()
	}
}

// refuse says why the card that was laid has to be laid again.
func (l *lesson) refuse(err error) {
	l.trouble = "camera.lesson.fault"
	var r *cv.Refused
	if !errors.As(err, &r) {
		return
	}
	switch r.Why {
	case cv.Blurred:
		l.trouble = "camera.lesson.blurred"
	case cv.BadOutline:
		l.trouble = "camera.lesson.outline"
	case cv.SameCard:
		l.trouble, l.like = "", l.card(slices.Index(l.cards, r.Like))
	}
}

// next goes on to the card after the one that was laid or left out.
func (l *lesson) next() {
	l.past = append(l.past, l.todo[0])
	l.todo = l.todo[1:]
	l.checked = false
	if len(l.todo) == 0 {
		l.check()
	}
}

// check has the reader look at the deck when all cards were laid.
func (l *lesson) check() {
	twins, err := l.draft.Check()
	if err != nil { // no card at all was taken
		l.trouble = "camera.lesson.empty"
		return
	}
	l.checked, l.twins = true, twins
}

// Teach is a press during a lesson: take the picture now, skip the card, go back to
// the one before, lay the ith again, keep the deck, or stop without it. A press that
// takes, skips or goes back names its card: the second tap of an impatient finger,
// or another host's, has come too late for it.
func (d *Desk) Teach(ctx context.Context, do string, i int) error {
	d.press.Lock()
	defer d.press.Unlock()
	d.mu.Lock()
	l := d.lesson
	d.mu.Unlock()
	if l == nil {
		return &web.Refused{Code: "lesson_over"}
	}
	if do == "stop" {
		d.end(ctx)
		return nil
	}
	if err := l.press(do, i); err != nil {
		return err
	}
	if do == "finish" {
		d.o.Log.Info("a deck was taught", "deck", l.deck)
		defer d.end(ctx)
		return d.refresh(l.deck)
	}
	return nil
}

func (l *lesson) press(do string, i int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trouble, l.like = "", nil
	switch {
	case do == "snap" && len(l.todo) > 0 && l.todo[0] == i:
		l.now = true
	case do == "skip" && len(l.todo) > 0 && l.todo[0] == i:
		l.next()
	case do == "back" && len(l.past) > 0 && l.past[len(l.past)-1] == i:
		l.past = l.past[:len(l.past)-1]
		return l.again(i)
	case do == "again" && i >= 0 && i < len(l.cards) && !slices.Contains(l.todo, i):
		l.past = slices.DeleteFunc(l.past, func(j int) bool { return i == j })
		return l.again(i)
	case do == "finish" && len(l.todo) == 0 && l.checked:
		if _, err := l.draft.Keep(); err != nil {
			return err
		}
		l.kept = true
	default:
		return &web.Refused{Code: "lesson_over"}
	}
	return nil
}

// again asks for a card once more; its picture is thrown away.
func (l *lesson) again(i int) error {
	if err := l.draft.Forget(l.cards[i]); err != nil {
		return err
	}
	l.has[i] = false
	l.todo = append([]int{i}, l.todo...)
	l.checked, l.twins = false, nil
	return nil
}

// close frees what the lesson holds.
func (l *lesson) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.pupil != nil {
		_ = l.pupil.Close() // it holds memory only
		l.pupil = nil
	}
	l.draft.Discard()
}

func (l *lesson) picture(i int) []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i < 0 || i >= len(l.cards) || l.draft == nil {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(l.draft.Dir, cv.CardFile(l.cards[i], 1)))
	if err != nil {
		return nil // it was not laid yet
	}
	return b
}

func (l *lesson) view() *web.Lesson {
	l.mu.Lock()
	defer l.mu.Unlock()
	v := &web.Lesson{Deck: l.deck, Pack: l.pack, Of: len(l.cards), Done: len(l.past), Checked: l.checked, Like: l.like}
	if l.trouble != "" {
		v.Trouble = web.Note{Key: l.trouble}
	}
	if len(l.todo) > 0 {
		v.Next = l.card(l.todo[0])
	}
	if n := len(l.past); n > 0 {
		v.Last = l.card(l.past[n-1])
	}
	for _, i := range l.past {
		if !l.has[i] {
			v.Left = append(v.Left, *l.card(i))
		}
	}
	for _, t := range l.twins {
		v.Twins = append(v.Twins, [2]web.LessonCard{*l.card(slices.Index(l.cards, t[0])), *l.card(slices.Index(l.cards, t[1]))})
	}
	return v
}

func (l *lesson) card(i int) *web.LessonCard {
	return &web.LessonCard{I: i, Rank: l.cards[i].Rank, Suit: l.cards[i].Suit, Taken: l.taken[i], Has: l.has[i]}
}
