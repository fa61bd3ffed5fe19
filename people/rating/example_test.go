package rating_test

import (
	"fmt"

	"quintet/people/rating"
)

// A new player wins against one of 1700.
func ExampleUpdate() {
	strong := rating.New()
	strong.Points, strong.RD = 1700, 60
	r := rating.New()
	fmt.Printf("expected %.2f\n", rating.Expected(r, strong, 0))
	r = rating.Update(r, 0, rating.Result{Opponent: strong, Score: 1})
	fmt.Println(r.Rounded(), r.Provisional(r.At))
	// Output:
	// expected 0.35
	// 1932 true
}
