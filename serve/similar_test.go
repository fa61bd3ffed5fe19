package serve_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"quintet/live"
	"quintet/serve"
	"quintet/serve/classes"
)

// program returns a program that differs in all but the names of its variables from those with another seed.
func program(seed int, variable string) string {
	var out strings.Builder
	for i := range 12 {
		seed = seed*1103515245 + 12345
		fmt.Fprintf(&out, "for (%s = %d; %s %s %s; %s++) %s(%s %s 1);\n", variable, i, variable,
			[]string{"<", "<=", "!=", ">"}[seed>>16&3], []string{"a[0]", "b", "c + 1", "-d"}[seed>>18&3], variable,
			[]string{"f", "return g", "if (h) k", "x ="}[seed>>20&3], variable, []string{"*", "%", "<<", "^"}[seed>>22&3])
	}
	return out.String()
}

// submit hands files in, and waits for the verdict.
func (c *classroom) submit(v visitor, to string, files ...classes.File) string {
	c.t.Helper()
	body, _ := json.Marshal(map[string]any{"assignment": to, "files": files})
	id := v.do("POST", c.path("/submissions"), string(body), 201, "").text("id")
	c.judged(v, id, "judged")
	return id
}

// zipped returns an archive with a file.
func zipped(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	f, err := z.Create(name)
	if err == nil {
		_, err = f.Write(data)
	}
	if err != nil || z.Close() != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestSimilar compares the programs of a class: two are alike, one of them in an archive, and two others share a
// rare mistake.
func TestSimilar(t *testing.T) {
	s := start(t, live.NewMemory(), serve.Config{Judge: &stub{}})
	c := s.newClassroom("Ann Lee\nBob Ray\nEve Fox\nIda May\nJoe Orr")
	to := c.assignment("")
	inner := zipped(t, "work/main.cpp", []byte(program(1, "j")))
	first := c.submit(c.student(0), to, classes.File{Name: "a.cpp", Text: program(1, "i")})
	second := c.submit(c.student(1), to, classes.File{Name: "b.zip", Data: zipped(t, "all.zip", inner)})
	c.submit(c.student(2), to, classes.File{Name: "a.cpp", Text: "// mistake rare\n" + program(2, "i")})
	c.submit(c.student(3), to, classes.File{Name: "a.cpp", Text: "// mistake rare\n" + program(3, "i")})
	joe := c.student(4)
	c.submit(joe, to, classes.File{Name: "a.cpp", Text: program(4, "i")})

	a := c.teacher.do("GET", c.path("/assignments/"+to+"/similar"), "", 200, "")
	pairs := a.body["pairs"].([]any)
	if names := fmt.Sprint(pairs[0].(map[string]any)["programs"]); a.number("programs") != 5 || !strings.Contains(names, "Ann Lee") || !strings.Contains(names, "Bob Ray") {
		t.Errorf("the most similar of 5 programs: %v", a.body)
	}
	for _, p := range pairs {
		p := p.(map[string]any)
		names := fmt.Sprint(p["programs"])
		rare, both := p["rarity"].(float64) > 0, strings.Contains(names, "Eve Fox") && strings.Contains(names, "Ida May")
		if rare != both || rare != (fmt.Sprint(p["mistakes"]) == "[rare]") {
			t.Errorf("the mistakes of %v", p)
		}
	}
	pair := c.teacher.do("GET", c.path("/assignments/"+to+"/similar/"+first+"/"+second), "", 200, "")
	for i, v := range []string{"i", "j"} {
		side := pair.body["sides"].([]any)[i].(map[string]any)
		source := side["sources"].([]any)[0].(map[string]any)
		if source["text"] != program(1, v) || len(source["shared"].([]any)) < 10 {
			t.Errorf("side %d is %v", i, side)
		}
	}
	c.teacher.do("GET", c.path("/assignments/"+to+"/similar/"+first+"/nobody"), "", 404, "missing")
	c.teacher.do("GET", c.path("/assignments/nothing/similar"), "", 404, "missing")
	for _, path := range []string{"/similar", "/similar/" + first + "/" + second, "/dolos"} {
		joe.do("GET", c.path("/assignments/"+to+path), "", 404, "missing")
	}
	archive := c.teacher.text(c.path("/assignments/" + to + "/dolos"))
	z, err := zip.NewReader(strings.NewReader(archive), int64(len(archive)))
	if err != nil || len(z.File) != 6 {
		t.Fatalf("the archive for Dolos: %v, %d bytes", err, len(archive))
	}
	info, err := z.Open("info.csv")
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(info); err != nil || !strings.Contains(string(text), "3.cpp,Eve Fox,rare") {
		t.Errorf("the programs for Dolos: %q, %v", text, err)
	}
}
