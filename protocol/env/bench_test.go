package env_test

import (
	"bytes"
	"encoding/binary"
	"testing"

	"quintet/games"
	"quintet/protocol/env"
)

func BenchmarkStep(b *testing.B) {
	for _, name := range []string{"othello", "loa", "chess", "neighbors", "connect6"} {
		b.Run(name, func(b *testing.B) {
			g, _ := games.ByName(name)
			p, _ := g.Start(nil)
			e, err := env.New(env.Config{Game: g, Start: p, Games: 4096, Workers: 2, MaxPlies: 500})
			if err != nil {
				b.Fatal(err)
			}
			l := e.Layout()
			memory := make([]byte, l.Size)
			e.Attach(memory)
			for i := range 4096 {
				memory[l.Selected+i] = 1
			}
			if err := e.Reset(b.Context(), 1); err != nil {
				b.Fatal(err)
			}
			actions, steps := (l.Size-l.Mask)/4096, 0
			for b.Loop() {
				b.StopTimer()
				for i := range 4096 {
					mask := memory[l.Mask+i*actions:][:actions]
					at := (i*7919 + steps*104729) % actions
					if next := bytes.IndexByte(mask[at:], 1); next >= 0 {
						at += next
					} else {
						at = max(0, bytes.IndexByte(mask, 1))
					}
					binary.LittleEndian.PutUint32(memory[l.Actions+4*i:], uint32(at))
				}
				b.StartTimer()
				if err := e.Step(b.Context()); err != nil {
					b.Fatal(err)
				}
				steps++
			}
			b.ReportMetric(float64(steps)*4096/b.Elapsed().Seconds(), "steps/s")
			_ = e.Close()
		})
	}
}
