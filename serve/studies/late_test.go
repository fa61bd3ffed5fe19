package studies_test

import (
	"context"
	"testing"

	"quintet/live"
)

// late is a log in which something happens right after a table was read for the first time.
type late struct {
	live.Log
	happens func()
}

func (l *late) Read(ctx context.Context, table string) ([]live.Entry, error) {
	list, err := l.Log.Read(ctx, table)
	if happens := l.happens; happens != nil {
		l.happens = nil
		happens()
	}
	return list, err
}

// TestLate checks that an event that arrives during the first read of a study is not lost.
func TestLate(t *testing.T) {
	l := live.NewMemory()
	a, _ := open(l)
	study := create(t, a, "id", "chess", three)
	slow := &late{Log: l}
	b, _ := open(slow)
	slow.happens = func() {
		if err := edit(t, study, `{"do":"title","text":"late"}`); err != nil {
			t.Error(err)
		}
		list, err := l.Read(t.Context(), live.StudyCategory.Stream("id"))
		if err != nil {
			t.Fatal(err)
		}
		b.Deliver(list[1])
	}
	read, err := b.Get(t.Context(), "id")
	if err != nil {
		t.Fatal(err)
	}
	if got := read.View().Title; got != "late" {
		t.Errorf("the title is %q, want late", got)
	}
}
