package accounts

import "testing"

// TestDevice names sessions by the user agents of browsers, which name older browsers, too.
func TestDevice(t *testing.T) {
	const webkit = " AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 "
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64)" + webkit + "Safari/537.36 Edg/141.0.0.0": "Edge, Windows",
		"Mozilla/5.0 (Linux; Android 10; K)" + webkit + "Mobile Safari/537.36":               "Chrome, Android",
		"Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0":             "Firefox, Linux",
		"curl/8.14.1": "Program",
	} {
		if got := device(agent); got != want {
			t.Errorf("%s is %q, want %q", agent, got, want)
		}
	}
}
