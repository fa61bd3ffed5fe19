package main

import (
	"encoding/json"
	"net"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quintet/farm/natsrpc"
)

// composeService is a service of the compose file, as far as it is checked.
type composeService struct {
	Image    string   `json:"image"`
	Command  []string `json:"command"`
	Hostname string   `json:"hostname"`
	Ports    []string `json:"ports"`
	Volumes  []string `json:"volumes"`
	Depends  []string `json:"depends_on"`
	Restart  string   `json:"restart"`

	Healthcheck map[string]bool `json:"healthcheck"`
	Environment []string        `json:"environment"`
	Grace       string          `json:"stop_grace_period"`
	ReadOnly    bool            `json:"read_only"`
	CapDrop     []string        `json:"cap_drop"`
	CapAdd      []string        `json:"cap_add"`
	Security    []string        `json:"security_opt"`
	Memory      string          `json:"mem_limit"`
	Processes   int             `json:"pids_limit"`
}

// readCompose reads the part of YAML that the compose file uses: mappings by indentation,
// and JSON or plain words as values.
func readCompose(t *testing.T, text string) (services map[string]*composeService, volumes []string) {
	t.Helper()
	members := map[string]map[string]json.RawMessage{}
	section, name := "", ""
	line := regexp.MustCompile(`^( *)([a-z_]+):(?: (.*?))?(?: #.*)?$`)
	for _, l := range strings.Split(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(l, "#") {
			continue
		}
		m := line.FindStringSubmatch(l)
		if m == nil {
			t.Fatalf("line %q: expected NAME: VALUE", l)
		}
		switch len(m[1]) {
		case 0:
			section = m[2]
		case 2:
			if name = m[2]; section == "volumes" {
				volumes = append(volumes, name)
			} else {
				members[name] = map[string]json.RawMessage{}
			}
		default:
			members[name][m[2]] = composeValue(m[3])
		}
	}
	strict, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(strings.NewReader(string(strict)))
	d.DisallowUnknownFields()
	if err := d.Decode(&services); err != nil {
		t.Fatalf("the compose file: %v", err)
	}
	return services, volumes
}

// composeValue returns a value as JSON.
func composeValue(text string) json.RawMessage {
	if words, ok := strings.CutPrefix(text, "["); ok && !strings.Contains(text, `"`) { // [a, b]
		text = `["` + strings.ReplaceAll(strings.TrimSuffix(words, "]"), ", ", `", "`) + `"]`
	}
	if json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return json.RawMessage(`"` + text + `"`)
}

// flagOf returns the value of a flag of a command line.
func flagOf(t *testing.T, args []string, flag string) string {
	t.Helper()
	for i, a := range args[:len(args)-1] {
		if a == flag {
			return args[i+1]
		}
	}
	t.Fatalf("%q has no %s", args, flag)
	return ""
}

// mountOf returns the volume of a service, where it is, and whether it is read-only.
func mountOf(t *testing.T, s *composeService) (volume, at string, readOnly bool) {
	t.Helper()
	if len(s.Volumes) != 1 {
		t.Fatalf("volumes %q, want one", s.Volumes)
	}
	parts := strings.Split(s.Volumes[0], ":")
	return parts[0], parts[1], len(parts) == 3 && parts[2] == "ro"
}

// TestCompose checks that the compose file names what the program, the image and each other
// have: commands, flags, ports, volumes and the worker's key.
func TestCompose(t *testing.T) {
	text := packaged(t, "farm-compose.yaml")
	services, volumes := readCompose(t, text)
	c, w := services["coordinator"], services["worker"]
	if c == nil || w == nil || len(services) != 2 {
		t.Fatalf("services %v, want coordinator and worker", services)
	}
	makefile := readTop(t, "Makefile")
	for name, s := range services {
		parses(t, name, s.Command)
		if !strings.Contains(makefile, "--tag "+s.Image+" ") {
			t.Errorf("make image does not build %s", s.Image)
		}
		if volume, _, _ := mountOf(t, s); len(volumes) != 1 || volumes[0] != volume {
			t.Errorf("%s: volume %s, want one of %q", name, volume, volumes)
		}
		for _, d := range s.Depends {
			if services[d] == nil {
				t.Errorf("%s depends on %s, which is no service", name, d)
			}
		}
	}
	checkComposePorts(t, c, w)
	checkComposeFiles(t, c, w)
	command := regexp.MustCompile(`(?m)^#   quintet (.*)$`).FindStringSubmatch(text)
	if command == nil {
		t.Fatal("the compose file does not say how to submit a job")
	}
	parses(t, "arena", strings.Fields(command[1]))
}

// TestServerCompose checks that the server and its proxy run with few rights and with limits, and that
// the proxy and the health check reach the server.
func TestServerCompose(t *testing.T) {
	services, volumes := readCompose(t, packaged(t, "compose.yaml"))
	s := services["quintet"]
	if s == nil || len(services) != 2 {
		t.Fatalf("services %v, want quintet and caddy", services)
	}
	parses(t, "serve", s.Command)
	for name, c := range services {
		if !c.ReadOnly || !slices.Equal(c.CapDrop, []string{"ALL"}) || !slices.Equal(c.Security, []string{"no-new-privileges:true"}) || c.Memory == "" || c.Processes == 0 {
			t.Errorf("%s: %+v, want a read-only root, no capabilities, no new privileges and limits", name, c)
		}
		for _, v := range c.Volumes {
			if from, _, _ := strings.Cut(v, ":"); !slices.Contains(volumes, from) && from != "./Caddyfile" {
				t.Errorf("%s: volume %s, want one of %q", name, from, volumes)
			}
		}
	}
	addr := flagOf(t, s.Command, "--addr")
	if !slices.Contains(s.Command, "--trust-proxy") || len(s.Ports) > 0 || !strings.Contains(packaged(t, "Caddyfile"), "reverse_proxy quintet"+addr+"\n") {
		t.Errorf("the server %q is reached past its proxy, or not by it", s.Command)
	}
	check := regexp.MustCompile(`(?m)^HEALTHCHECK .* CMD (.*)$`).FindStringSubmatch(packaged(t, "Dockerfile"))
	var args []string
	if check == nil || json.Unmarshal([]byte(check[1]), &args) != nil {
		t.Fatal("the Dockerfile has no health check")
	}
	parses(t, "serve", args[1:])
	if !slices.Contains(args, "--ready") || flagOf(t, args, "--addr") != addr {
		t.Errorf("the health check %q does not ask the server at %s", args, addr)
	}
}

// checkComposePorts checks that published ports are those at which the coordinator listens,
// on this machine alone, and that the worker connects to one.
func checkComposePorts(t *testing.T, c, w *composeService) {
	t.Helper()
	_, port, err := net.SplitHostPort(flagOf(t, c.Command, "--listen"))
	if err != nil {
		t.Fatal(err)
	}
	_, page, err := net.SplitHostPort(flagOf(t, c.Command, "--http"))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{port, page} {
		if len(c.Ports) != 2 || c.Ports[i] != "127.0.0.1:"+want+":"+want {
			t.Errorf("ports %q: want %s of 127.0.0.1", c.Ports, want)
		}
	}
	if want := "nats://" + c.Hostname + ":" + port; w.Command[1] != want {
		t.Errorf("the worker connects to %s, want %s", w.Command[1], want)
	}
	if port != natsrpc.DefaultPort {
		t.Errorf("port %s, want %s, as the command for jobs gives none", port, natsrpc.DefaultPort)
	}
}

// checkComposeFiles checks that the coordinator may write to its folder, and that the
// worker's key is where the coordinator makes it.
func checkComposeFiles(t *testing.T, c, w *composeService) {
	t.Helper()
	_, at, readOnly := mountOf(t, c)
	if data := flagOf(t, c.Command, "--data"); data != at || readOnly {
		t.Errorf("--data %s, and the volume is at %s (read-only: %v)", data, at, readOnly)
	}
	image := packaged(t, "Dockerfile")
	if !strings.Contains(image, "\nVOLUME "+at+"\n") || !regexp.MustCompile(`(?m)^COPY --chown=65532:65532 \S+ `+at+`\nUSER 65532:65532$`).MatchString(image) {
		t.Errorf("the user of the image may not write to %s", at)
	}
	dir := t.TempDir()
	keys, err := natsrpc.OpenKeys(filepath.Join(dir, "keys"))
	if err != nil {
		t.Fatal(err)
	}
	made, err := filepath.Rel(dir, keys.Path("worker"))
	if err != nil {
		t.Fatal(err)
	}
	_, at, readOnly = mountOf(t, w)
	if got, want := flagOf(t, w.Command, "--key"), path.Join(at, filepath.ToSlash(made)); got != want || !readOnly {
		t.Errorf("the worker's key is %s (read-only: %v), want %s", got, readOnly, want)
	}
}
