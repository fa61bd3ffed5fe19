package people

import (
	"encoding/hex"
	"slices"
	"strings"

	"quintet/live"
)

// GuestName derives a guest's friendly name from the identifier. Several guests can get the same
// name.
func GuestName(id string) string {
	b, err := hex.DecodeString(id[:min(4, len(id))])
	if err != nil || len(b) < 2 {
		return live.Anonymous
	}
	return colors[int(b[0])%len(colors)] + " " + animals[int(b[1])%len(animals)]
}

// isGuestName reports whether a name looks like one that GuestName returns.
func isGuestName(name string) bool {
	first, second, ok := strings.Cut(live.Skeleton(name), " ")
	has := func(list []string, word string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return live.Skeleton(w) == word })
	}
	return ok && has(colors, first) && has(animals, second)
}

// colors are the first words of guest names.
var colors = strings.Fields(`Amber Ashen Azure Black Blue Bright Bronze Brown Calm Clever Copper Coral Crimson Curious
	Dapper Dusky Eager Ebony Emerald Fair Fleet Gentle Gilded Golden Grand Gray Green Hazel Indigo Ivory Jade
	Jolly Keen Lilac Lively Lucky Lunar Maroon Mellow Merry Misty Nimble Noble Olive Orange Patient Pearl Plucky
	Proud Purple Quick Quiet Red Rosy Royal Ruby Rustic Sandy Silver Snowy Sunny Swift Teal Violet`)

// animals are the second words of guest names.
var animals = strings.Fields(`Badger Bear Beaver Bison Bobcat Camel Crane Crow Deer Dolphin Dove Eagle Egret Elk Falcon
	Ferret Finch Fox Gecko Goose Hare Hawk Hedgehog Heron Horse Ibex Ibis Jackdaw Jay Kestrel Kingfisher Kite
	Koala Lark Lemur Lion Lynx Magpie Marten Mole Moose Moth Newt Otter Owl Panda Panther Pelican Penguin Plover
	Puffin Rabbit Raven Robin Salmon Seal Sparrow Stork Swallow Swan Tiger Turtle Wolf Wren`)
