package main

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quintet/live/jet"
)

// TestEnvironment checks that environment variables stand in for flags that are not
// given.
func TestEnvironment(t *testing.T) {
	variables := map[string]string{
		"QUINTET_NATS": "nats://n1", "QUINTET_NATS_SYSTEM": "nats://n2", "QUINTET_NATS_CREDS": "app", "QUINTET_NATS_SYSTEM_CREDS": "sys",
		"QUINTET_NATS_USER": "a", "QUINTET_NATS_PASSWORD": "b", "QUINTET_NATS_SYSTEM_USER": "c", "QUINTET_NATS_SYSTEM_PASSWORD": "d",
	}
	got := jet.Cluster{System: "nats://flag"}
	fromEnvironment(&got, func(name string) string { return variables[name] })
	want := jet.Cluster{URL: "nats://n1", System: "nats://flag", Auth: jet.Auth{Creds: "app", User: "a", Password: "b"}, SystemAuth: jet.Auth{Creds: "sys", User: "c", Password: "d"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, c := range []jet.Cluster{{System: "x"}, {Auth: jet.Auth{Creds: "x"}}, {URL: "x", SystemAuth: jet.Auth{Creds: "x"}}} {
		if checkCluster(c) == nil {
			t.Errorf("%+v is no error", c)
		}
	}
}
