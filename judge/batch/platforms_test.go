//go:build unix

package batch_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/unicode"

	"quintet/judge"
	"quintet/judge/batch"
	"quintet/judge/marks"
	"quintet/judge/run"
	"quintet/judge/suite"
)

// zipped returns an archive of files; a name that ends with "@" is a link.
func zipped(t *testing.T, files ...[2]string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		h := &zip.FileHeader{Name: strings.TrimSuffix(f[0], "@"), Method: zip.Deflate, Modified: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
		if h.Name != f[0] {
			h.SetMode(0o777 | os.ModeSymlink)
		}
		out, err := w.CreateHeader(h)
		if err == nil {
			_, err = out.Write([]byte(f[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// listed formats submissions: the name, the ID, the names of the files, and the fault.
func listed(list []batch.Submission) (text string) {
	for _, s := range list {
		text += s.Name + " <" + s.ID + ">"
		for _, f := range s.Files {
			text += " " + filepath.Base(f)
		}
		if s.Late {
			text += " late"
		}
		if s.Fault != "" {
			text += " fault: " + s.Fault
		}
		for _, w := range s.Warnings {
			text += " warning: " + w
		}
		text += "\n"
		if len(s.Earlier) > 0 {
			text += "  earlier " + strings.ReplaceAll(listed(s.Earlier), "\n", "\n  ")
			text = strings.TrimSuffix(text, "  ")
		}
	}
	return text
}

// TestPlatforms finds the submissions in what learning platforms export.
func TestPlatforms(t *testing.T) {
	many := [][2]string{}
	for i := range 2001 {
		many = append(many, [2]string{fmt.Sprintf("%d.txt", i), ""})
	}
	for name, test := range map[string]struct {
		files map[string]string
		want  string
	}{
		"Moodle, a folder each": {map[string]string{
			"Ann Lee_101_assignsubmission_file_/main.cpp": "x", "王小明_102_assignsubmission_file_/程式 1.cc": "y",
			"Bob_103_assignsubmission_file/my work.zip": zipped(t, [2]string{`src\Game.h`, "h"}, [2]string{"src/game.cxx", "z"}, [2]string{"__MACOSX/._game.cxx", "?"}),
		}, "Ann Lee <101> main.cpp\nBob <103> Game.h game.cxx\n王小明 <102> 程式 1.cc\n"},
		"Moodle, flat": {map[string]string{
			"Ann Lee_101_assignsubmission_file_Neighbors.h": "h", "Ann Lee_101_assignsubmission_file_Neighbors.cpp": "x", "Ann Lee_101_assignsubmission_file_playgame.cpp": "y",
			"Ann Lee_104_assignsubmission_file_a.c": "another Ann", "Neighbors.h": "the course's",
		}, "Ann Lee <101> Neighbors.cpp Neighbors.h playgame.cpp\nAnn Lee-104 <104> Neighbors.h a.c\n"},
		"Blackboard": {map[string]string{
			"Assignment 1_ann_lee_attempt_2026-11-18-10-00-00.txt": "Name: Ann", "Assignment 1_ann_lee_attempt_2026-11-18-10-00-00_a.cpp": "old",
			"Assignment 1_ann_lee_attempt_2026-11-19-10-00-00_a.cpp": "new", "Assignment 1_ann_lee_attempt_2026-11-19-10-00-00_b_2.cpp": "new",
			"Assignment 1_bob_lee_attempt_2026-11-19-10-00-00.txt": "Name: Bob", "Assignment 1_cy_attempt_2026-11-19-10-00-00_report.pdf": "no source",
		}, "ann_lee <ann_lee> a.cpp b_2.cpp\n  earlier ann_lee <ann_lee> a.cpp\nbob_lee <bob_lee>\ncy <cy>\n"},
		"Canvas": {map[string]string{
			"leeann_101_9001_Neighbors-2.h": "h", "leeann_101_9002_Neighbors-2.cpp": "x", "leebob_LATE_102_9003_main.py": "y", "leecy_103_9004_all.zip": zipped(t, [2]string{"a/main.c", "z"}),
		}, "leeann <101> Neighbors.cpp Neighbors.h\nleebob <102> main.py late\nleecy <103> main.c\n"},
		"archives": {map[string]string{
			"ann.zip":    zipped(t, [2]string{"a/b.zip", zipped(t, [2]string{"main.cpp", "x"})}, [2]string{"notes.rar", ""}),
			"escape.zip": zipped(t, [2]string{"../../main.cpp", "x"}, [2]string{"/etc/x.cpp", "x"}, [2]string{"link.cpp@", "/etc/passwd"}, [2]string{"fine.cpp", "x"}),
			"full.zip":   zipped(t, many...), "bomb.zip": zipped(t, [2]string{"a.cpp", strings.Repeat(" ", 65<<20)}),
			"none.zip": "no archive", "twice.zip": zipped(t, [2]string{"a.cpp", "x"}, [2]string{"a.cpp", "y"}),
		}, "ann <> main.cpp warning: ann.zip/notes.rar was not unpacked: only zip archives are.\n" +
			"bomb <> fault: files cannot be read: its archives are too large: at most 2,000 files and 64 MB are unpacked for a student\n" +
			"escape <> fine.cpp warning: ../../main.cpp was not unpacked: it is a link, or its path leads out of the archive or is too long. warning: /etc/x.cpp was not unpacked: it is a link, or its path leads out of the archive or is too long. warning: link.cpp was not unpacked: it is a link, or its path leads out of the archive or is too long.\n" +
			"full <> fault: files cannot be read: its archives are too large: at most 2,000 files and 64 MB are unpacked for a student\n" +
			"none <> warning: none.zip was not unpacked: opening an archive: zip: not a valid zip file.\n" +
			"twice <> a.cpp warning: a.cpp was not unpacked: its name is taken or cannot be written.\n"},
	} {
		dir := handedIn(t, test.files)
		list, _, err := batch.Find(dir, "", t.TempDir())
		if got := listed(list); err != nil || got != test.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", name, err, got, test.want)
		}
	}
	course := filepath.Join(t.TempDir(), "export.zip")
	text := zipped(t, [2]string{"Ann Lee_101_assignsubmission_file_/main.cpp", "x"}, [2]string{"Bob_102_assignsubmission_file_/a.py", "x"})
	if err := os.WriteFile(course, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	list, _, err := batch.Find(course, "", t.TempDir())
	if got := listed(list); err != nil || got != "Ann Lee <101> main.cpp\nBob <102> a.py\n" {
		t.Errorf("%v %s", err, got)
	}
}

// wide returns a text in UTF-16.
func wide(t *testing.T, text string) string {
	t.Helper()
	data, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestSheets writes marks into the tables of learning platforms. The rest of the file must not change.
func TestSheets(t *testing.T) {
	results := []batch.Result{
		{Name: "Ann Lee", ID: "101", Days: 2, Mark: 80, Verdict: judge.Verdict{Verdict: judge.WrongRule, Rule: "=passes", Points: 90, Of: 100}},
		{Name: "bob", ID: "bob", Mark: 100, Verdict: judge.Verdict{Verdict: judge.Accepted, Of: 100}},
	}
	for name, test := range map[string]struct{ in, column, want, missing string }{
		"Moodle": {
			"\xef\xbb\xbfIdentifier,\"Full name\",\"Maximum grade\",Grade,\"Feedback comments\"\r\nParticipant 101,Ann Lee,10.00,,\r\n\"Teilnehmer/in 102\",\"Cy, the other\",10.00,-,\r\n", "",
			"\xef\xbb\xbfIdentifier,Full name,Maximum grade,Grade,Feedback comments\r\nParticipant 101,Ann Lee,10.00,8,wrong-rule: =passes; 2 days late: 1 of 10 points off\r\nTeilnehmer/in 102,\"Cy, the other\",10.00,-,\r\n", "bob",
		},
		"Moodle in Japanese": {
			"ID,フルネーム,IDナンバー,ステータス,評点,最大評点,評点を変更できます,最終更新日時 (提出),最終更新日時 (評定),フィードバックコメント\n参加者101,李安,1155000101,提出済み,,\"50,00\",Yes,2026年 11月 19日(木曜日) 23:59,-,\n参加者102,Cy,1155000102,提出なし,-,\"50,00\",Yes,-,-,\n", "",
			"ID,フルネーム,IDナンバー,ステータス,評点,最大評点,評点を変更できます,最終更新日時 (提出),最終更新日時 (評定),フィードバックコメント\n参加者101,李安,1155000101,提出済み,40,\"50,00\",Yes,2026年 11月 19日(木曜日) 23:59,-,wrong-rule: =passes; 2 days late: 5 of 50 points off\n参加者102,Cy,1155000102,提出なし,-,\"50,00\",Yes,-,-,\n", "bob",
		},
		"Moodle in Chinese, anonymous, without comments": {
			"识别码,状态,成绩,最高成绩,可以更改成绩,最后修改（学生）,最后修改（教师）\n参与者 101,已提交,12,100.00,是,2026年11月19日 星期四 下午 3:05,-\n", "",
			"识别码,状态,成绩,最高成绩,可以更改成绩,最后修改（学生）,最后修改（教师）\n参与者 101,已提交,80,100.00,是,2026年11月19日 星期四 下午 3:05,-\n", "bob",
		},
		"Canvas": {
			"Student,ID,Section,Othello (55),Chess (56)\n    Points Possible,,,50,20\n\"Lee, Ann\",101,A,,7\n", "Othello",
			"Student,ID,Section,Othello (55),Chess (56)\n\"    Points Possible\",,,50,20\n\"Lee, Ann\",101,A,40,7\n", "bob",
		},
		"Blackboard": {
			wide(t, "Last Name\tUsername\tOthello [Total Pts: 100 Score] |77\r\nLee\tBob\t\r\n"), "",
			wide(t, "Last Name\tUsername\tOthello [Total Pts: 100 Score] |77\r\nLee\tBob\t100\r\n"), "Ann Lee",
		},
		"other":   {"Name;Grade\nAnn Lee;\n", "", "Name;Grade\nAnn Lee;\n", "Ann Lee bob"},
		"several": {"Student,ID,A (1),B (2)\n", "", "several columns for grades: name one with --column: A (1), B (2)", ""},
		"none":    {"a,b\n", "", "no column for the student and the grade", ""},
		"empty":   {"", "", "it is empty", ""},
	} {
		path, out := filepath.Join(t.TempDir(), "in.csv"), filepath.Join(t.TempDir(), "out.csv")
		if err := os.WriteFile(path, []byte(test.in), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := batch.ReadSheet(path, test.column)
		if err != nil {
			if !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: %v, want %s", name, err, test.want)
			}
			continue
		}
		missing := strings.Join(s.Fill(results), " ")
		if err := s.Write(out); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(out); err != nil || string(got) != test.want || missing != test.missing {
			t.Errorf("%s: %v, missing %q\n%q, want\n%q", name, err, missing, got, test.want)
		}
	}
}

// TestAttempts counts the best of two attempts, with the penalty for a late one, or the last attempt.
func TestAttempts(t *testing.T) {
	dir := handedIn(t, map[string]string{
		"A1_ann_attempt_2026-11-18-10-00-00_a.cpp": one, "A1_ann_attempt_2026-11-19-10-00-00_a.cpp": "x",
		"A1_bob_attempt_2026-11-21-10-00-00_a.cpp": wide(t, strings.ReplaceAll(one, "\n", "\r\n")),
	})
	due, _ := marks.ParseTime("2026-11-19 23:59")
	for best, want := range map[bool]string{true: "ann accepted 100 0, bob accepted 80 2", false: "ann compile-error 0 0, bob accepted 80 2"} {
		list, _, err := batch.Find(dir, "", t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		results, err := batch.Run(t.Context(), list, batch.Options{
			Game: "connect6", Judge: judge.Options{Size: 1, Games: []suite.Game{{Name: "first", Lines: []string{"A0"}}}}, Best: best,
			Late: marks.Late{Due: due, Penalty: 10, Percent: true}, Build: run.Options{Flags: []string{"-O0"}}, Limits: run.DefaultLimits(), Out: t.TempDir(),
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range results {
			got = append(got, fmt.Sprint(r.Name, " ", r.Verdict.Verdict, " ", r.Mark, " ", r.Days))
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("best %v: %s, want %s", best, text, want)
		}
	}
}
