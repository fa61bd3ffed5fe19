package batch_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"quintet/judge/batch"
)

// metadata is a submission_metadata.yml: one author, two authors, a name that is a path, results
// with keys of their own, and nobody.
const metadata = `submission_409194023:
  :submitters:
  - :name: First Last
    :sid: '123456789'
    :email: first@example.org
  :created_at: 2026-04-26 17:34:00.861687000 Z
  :score: 2.0
  :results:
    score: 2.0
    output: |-
      :submitters:
        - :name: Nobody
submission_2:
  :submitters:
  - :name: Ann
    :sid: '1'
  - :name: Bob
    :sid: '2'
submission_3:
  :submitters:
  - :name: "../Cy"
    :sid:
submission_4:
  :submitters: []
`

// TestGradescopeExport names the submissions of an export, which has a folder of its own.
func TestGradescopeExport(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "assignment_7_export")
	for _, name := range []string{"submission_409194023", "submission_2", "submission_3", "submission_4"} {
		if err := os.MkdirAll(filepath.Join(inside, name), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(inside, name, "a.py"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(inside, "submission_metadata.yml"), []byte(metadata), 0o600); err != nil {
		t.Fatal(err)
	}
	list, ignored, err := batch.Find(dir, filepath.Join(dir, "out"), t.TempDir())
	if err != nil || len(ignored) != 0 || len(list) != 4 {
		t.Fatalf("%+v, %q, %v", list, ignored, err)
	}
	for i, want := range []batch.Submission{{Name: ".-Cy"}, {Name: "Ann and Bob", ID: "1"}, {Name: "First Last", ID: "123456789", Submitted: time.Date(2026, 4, 26, 17, 34, 0, 861687000, time.UTC)}, {Name: "submission_4"}} {
		if s := list[i]; s.Name != want.Name || s.ID != want.ID || !s.Submitted.Equal(want.Submitted) || len(s.Files) != 1 {
			t.Errorf("%+v, want %+v", s, want)
		}
	}
}
