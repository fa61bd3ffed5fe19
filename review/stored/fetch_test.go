package stored

import "testing"

// TestReviewURL turns the address of a page into that of the API.
func TestReviewURL(t *testing.T) {
	for address, want := range map[string]string{
		"http://h:1/review/abc":               "http://h:1/api/reviews/abc",
		"https://h/games/review/abc/?x=1#ply": "https://h/games/api/reviews/abc",
		"http://h/api/reviews/abc":            "http://h/api/reviews/abc",
		"http://h/api/reviews/abc/events":     "http://h/api/reviews/abc",
		"http://h/game/abc":                   "",
		"http://h/review/":                    "",
		"http://h/review/a%2fb":               "",
		"http:///review/abc":                  "",
	} {
		if got, err := reviewURL(address); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %s, %v; want %s", address, got, err, want)
		}
	}
}
