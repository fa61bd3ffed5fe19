package classes

import (
	"fmt"
	"testing"

	"quintet/serve/fair"
)

// idle is a judge that is not called.
type idle struct{ unnamed }

type unnamed interface{ Judge }

// TestShareOfQueue checks that a class cannot fill the queue: another class still finds room in it, and what found
// none is remembered.
func TestShareOfQueue(t *testing.T) {
	s := &Service{line: fair.NewLine[entry](maxOfEach, maxWaiting), queue: queue{entries: map[string]entry{}}}
	s.config.Judge = idle{}
	for i := range maxWaiting + 1 {
		s.push(entry{class: "aaaaaaaaaaaa", student: fmt.Sprint("student", i%100), submission: fmt.Sprint("a", i)})
	}
	if n := s.line.Len(); n > maxWaiting/10 {
		t.Errorf("one class has %d of %d places", n, maxWaiting)
	}
	if !s.queue.takeMissed() {
		t.Error("what found no room is forgotten")
	}
	s.push(entry{class: "bbbbbbbbbbbb", student: "student", submission: "b"})
	if s.queue.place("b") == 0 {
		t.Error("another class finds no room")
	}
}

// TestPlace checks that the rounds of a league, which come after all verdicts, keep nobody waiting.
func TestPlace(t *testing.T) {
	q := queue{entries: map[string]entry{}}
	for i := range 10 {
		q.add(entry{class: "a", student: fmt.Sprint(i), submission: fmt.Sprint(i), plays: true})
	}
	q.add(entry{class: "a", student: "x", submission: "x"})
	q.add(entry{class: "a", student: "y", submission: "y"})
	if e := finalEntry("a", "l"); !e.urgent() || (entry{plays: true}).urgent() {
		t.Error("a final, which the class watches, waits for rounds of the league")
	}
	if x, y, round := q.place("x"), q.place("y"), q.place("3"); x != 2 || y != 2 || round != 0 {
		t.Errorf("places %d and %d, and %d of a round, want 2 at worst, and 0", x, y, round)
	}
	q.begin("x")
	if x, y := q.place("x"), q.place("y"); x != 0 || y != 1 || !q.runs("x") || q.runs("y") {
		t.Errorf("places %d of what is being judged, and %d of the next, want 0 and 1", x, y)
	}
}
