// Package pack writes an assignment for other graders: the scripts, the program and the
// assignment's files, in the layout that the other system expects.
//
// The scripts run "quintet judge --sandbox container --format NAME". If the judge cannot reach a
// verdict, they report a failure of the grader instead of a mark, so that no student loses an attempt.
package pack

import (
	"archive/zip"
	"bytes"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"quintet/game"
)

// Assignment is what students are asked to write, and how it is judged.
type Assignment struct {
	Game    string
	Points  float64 // for an accepted program
	Profile []byte  // the profile file
	Rubric  []byte  // nil for the default
	Program string  // path of the quintet that judges, a static binary for Linux
}

// file is a file of a pack.
type file struct {
	name string
	mode fs.FileMode
	data []byte
}

// systems lists the systems, and what a pack for each consists of.
var systems = []struct {
	name    string
	zip     bool // one archive instead of a folder
	program bool // the pack contains the judge
	files   []string
}{
	{"gradescope", true, true, []string{"setup.sh", "run_autograder"}},
	{"vpl", false, true, []string{"vpl_run.sh", "vpl_evaluate.sh", "README.txt"}},
	{"coderunner", false, false, []string{"question.xml", "README.txt"}},
	{"classroom50", false, false, []string{"autograder.py", "README.txt"}},
	{"docker", false, true, []string{"Dockerfile", "README.txt"}},
}

// Systems lists the names of the systems.
func Systems() (list []string) {
	for _, s := range systems {
		list = append(list, s.name)
	}
	return list
}

//go:embed files
var templates embed.FS

// Command returns the command line that judges a submission, without the submission's path. folder
// holds the files of the assignment; a shell expands it.
func (a Assignment) Command(folder string) string {
	words := fmt.Sprintf(`judge %s --profile "%s/assignment.txt" --sandbox container`, a.Game, folder)
	if a.Rubric != nil {
		words += fmt.Sprintf(` --rubric "%s/rubric.txt"`, folder)
	}
	return words
}

// Flags returns the flags of [Assignment.Command] as literals of Python, in a list.
func (a Assignment) Flags(folder string) string {
	words := strings.Fields(strings.ReplaceAll(a.Command(folder), `"`, ""))
	for i, word := range words {
		words[i] = "'" + word + "'"
		if file, ok := strings.CutPrefix(word, folder+"/"); ok {
			words[i] = "os.path.join(" + folder + ", '" + file + "')"
		}
	}
	return strings.Join(words, ", ")
}

// DockerCommand returns [Assignment.Command] for a string of JSON.
func (a Assignment) DockerCommand() string {
	return strings.ReplaceAll(a.Command("/assignment"), `"`, "")
}

// Template returns the template of a question of CodeRunner.
func (a Assignment) Template() (string, error) {
	f, err := a.fill("coderunner", "template.py")
	return string(f.data), err
}

// escapeXML returns a text for XML.
func escapeXML(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// Write writes the pack for a system to a path: an archive, or a folder, which it creates.
func Write(system, path string, a Assignment) error {
	for _, s := range systems {
		if s.name != system {
			continue
		}
		list, err := a.own(s.program)
		for _, name := range s.files {
			f, err2 := a.fill(system, name)
			list, err = append(list, f), errors.Join(err, err2)
		}
		switch {
		case err != nil:
			return err
		case s.zip:
			return writeZip(path, list)
		}
		return writeFolder(path, list)
	}
	return fmt.Errorf("system %q: give %s", system, game.Alternatives(Systems()))
}

// own lists the files of the assignment, and with program also the judge.
func (a Assignment) own(program bool) (list []file, err error) {
	list = []file{{name: "assignment.txt", mode: 0o644, data: a.Profile}}
	if a.Rubric != nil {
		list = append(list, file{name: "rubric.txt", mode: 0o644, data: a.Rubric})
	}
	if program {
		judge := file{name: "quintet", mode: 0o755}
		if err = checkProgram(a.Program); err == nil {
			judge.data, err = os.ReadFile(a.Program)
		}
		list = append(list, judge)
	}
	return list, err //nolint:wrapcheck // it names the file
}

// fill fills in a template.
func (a Assignment) fill(system, name string) (file, error) {
	mode := fs.FileMode(0o644)
	if name == "run_autograder" || strings.HasSuffix(name, ".sh") {
		mode = 0o755
	}
	t, err := template.New(name).Delims("<<", ">>").Funcs(template.FuncMap{"xml": escapeXML, "base64": base64.StdEncoding.EncodeToString}).ParseFS(templates, "files/"+system+"/*")
	if err != nil {
		return file{}, fmt.Errorf("reading a template: %w", err)
	}
	var w bytes.Buffer
	err = t.ExecuteTemplate(&w, name, a)
	return file{name: name, mode: mode, data: w.Bytes()}, err //nolint:wrapcheck // ours
}

// writeFolder writes files into a folder.
func writeFolder(path string, list []file) error {
	if err := os.MkdirAll(path, 0o755); err != nil { //nolint:gosec // for other programs
		return fmt.Errorf("making the folder of the pack: %w", err)
	}
	for _, f := range list {
		path := filepath.Join(path, f.name)
		if err := errors.Join(os.WriteFile(path, f.data, f.mode), os.Chmod(path, f.mode)); err != nil {
			return fmt.Errorf("writing the pack: %w", err)
		}
	}
	return nil
}

// writeZip writes files as an archive. They are at its top, where Gradescope looks for them.
func writeZip(path string, list []file) error {
	out, err := os.Create(path) //nolint:gosec // the user names it
	if err != nil {
		return fmt.Errorf("writing the pack: %w", err)
	}
	z := zip.NewWriter(out)
	for _, f := range list {
		err = errors.Join(err, f.addTo(z))
	}
	if err = errors.Join(err, z.Close(), out.Close()); err != nil {
		return fmt.Errorf("writing the pack: %w", err)
	}
	return nil
}

func (f file) addTo(z *zip.Writer) error {
	header := &zip.FileHeader{Name: f.name, Method: zip.Deflate}
	header.SetMode(f.mode)
	w, err := z.CreateHeader(header)
	if err == nil {
		_, err = w.Write(f.data)
	}
	return err //nolint:wrapcheck // the caller says what failed
}
