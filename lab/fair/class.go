package fair

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"quintet/lab/load"
	"quintet/serve/clock"
)

// students is how many students the class has.
const students = 60

// class is the class of the attacker, whose students take turns.
type class struct {
	path, assignment string   // path of the API
	students         []string // their tokens
	programs         [2]string
	next             int
	verdicts         []time.Duration
}

// programs are what students hand in, in turn: a right program, and one that accepts moves that turn no discs.
func programs() (list [2]string, err error) {
	text, err := os.ReadFile("judge/testdata/othello/othello.cpp")
	return [2]string{string(text), strings.Replace(string(text), "k > 1", "k > 0", 1)}, err
}

// hasClass reports whether an attack is by the students of a class.
func (k attack) hasClass() bool { return k.name == "class" || k.name == "lesson" }

// flags returns the flags of the server for an attack.
func (k attack) flags() []string {
	if k.hasClass() {
		return []string{"--judge", "--teachers", "any"}
	}
	return nil
}

// enrol makes the class, once.
func (a *attacker) enrol(ctx context.Context) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.class.students) == students {
		return nil
	}
	var account, made struct{ Token, ID string }
	var added struct{ Codes []struct{ Code string } }
	post := func(path, token string, in load.Object, out any) error {
		return a.client.Post(ctx, a.url+path, token, in, out)
	}
	if err := post("/api/accounts", "", load.Object{"name": "Hypatia", "password": "correct horse"}, &account); err != nil {
		return err
	}
	if err := post("/api/classes", account.Token, load.Object{"title": "Class"}, &made); err != nil {
		return err
	}
	names := &strings.Builder{}
	for i := range students {
		fmt.Fprintln(names, "Student", i)
	}
	c := class{path: "/api/classes/" + made.ID}
	var err error
	if c.programs, err = programs(); err != nil {
		return fmt.Errorf("reading a program, as in the folder of the repository: %w", err)
	}
	if err := post(c.path+"/students", account.Token, load.Object{"text": names.String()}, &added); err != nil {
		return err
	}
	if err := post(c.path+"/assignments", account.Token, load.Object{"title": "Othello", "game": "othello", "attempts": 100}, &made); err != nil {
		return err
	}
	c.assignment = made.ID
	for _, n := range added.Codes {
		var signed struct{ Token string }
		if err := post("/api/codes", "", load.Object{"code": n.Code}, &signed); err != nil {
			return err
		}
		c.students = append(c.students, signed.Token)
	}
	a.class = c
	return nil
}

// handIn hands in a program as the next student, and waits for its verdict.
func (a *attacker) handIn(ctx context.Context, _ int) error {
	if err := a.enrol(ctx); err != nil {
		return err
	}
	a.mu.Lock()
	token := a.class.students[a.class.next%students]
	text := a.class.programs[a.class.next%2]
	a.class.next++
	a.mu.Unlock()
	began, made := time.Now(), created{}
	in := load.Object{"assignment": a.class.assignment, "files": []load.Object{{"name": "main.cpp", "text": text}}}
	if err := a.client.Post(ctx, a.url+a.class.path+"/submissions", token, in, &made); err != nil {
		return err
	}
	for ctx.Err() == nil {
		var s struct{ State string }
		if err := a.client.GetAs(ctx, a.url+a.class.path+"/submissions/"+made.ID, token, &s); err != nil {
			return err
		}
		if s.State != "waiting" && s.State != "judging" {
			break
		}
		clock.Sleep(ctx, 200*time.Millisecond)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.class.verdicts = append(a.class.verdicts, time.Since(began))
	return ctx.Err()
}

// handInEvery is the time between two programs of a lesson: each student hands in five times an hour.
const handInEvery = time.Hour / (5 * students)

// lesson hands in a program when the next one is due. Clients take turns.
func (a *attacker) lesson(ctx context.Context, client int) error {
	a.mu.Lock()
	at := time.Now()
	if a.due.After(at) {
		at = a.due
	}
	a.due = at.Add(handInEvery)
	a.mu.Unlock()
	if clock.Sleep(ctx, time.Until(at)); ctx.Err() != nil {
		return ctx.Err()
	}
	return a.handIn(ctx, client)
}

// report describes how long verdicts took.
func (c class) report() string {
	list := slices.Sorted(slices.Values(c.verdicts))
	if len(list) == 0 {
		return "no verdicts"
	}
	return fmt.Sprintf("%d verdicts: p50 %.1f s, p95 %.1f s", len(list), list[len(list)/2].Seconds(), list[len(list)*95/100].Seconds())
}
