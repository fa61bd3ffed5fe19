package classes

import (
	"reflect"
	"strings"
	"testing"
)

// TestPack checks that the files of a submission are the same after packing, and that names which lead elsewhere and too
// many files are refused.
func TestPack(t *testing.T) {
	list := []File{{Name: "a.cpp", Text: strings.Repeat("int main() {}\n", 50_000)}, {Name: "b.zip", Data: []byte("PK\x03\x04")}}
	data, err := pack(list)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := unpack(data); err != nil || !reflect.DeepEqual(got, list) {
		t.Errorf("unpacked: %d files, %v", len(got), err)
	}
	if _, err := unpack([]byte("a")); err == nil {
		t.Error("what is no archive is unpacked")
	}
	for _, name := range []string{"", ".", "..", "../a.cpp", "/a.cpp", `a\b.cpp`, "a\x00.cpp", strings.Repeat("a", 101)} {
		if _, err := pack([]File{{Name: name, Text: "x"}}); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
	if _, err := pack([]File{list[0], list[0]}); err == nil {
		t.Error("two files have one name")
	}
	if _, err := pack(make([]File, maxFiles+1)); err == nil {
		t.Error("too many files are accepted")
	}
}
