//go:build js

// Command wasm is the engine in the page: package local in a worker of the browser. make wasm builds
// it, and web/ui/engine.ts starts it.
package main

import (
	"context"
	"syscall/js"
	"time"

	"quintet/web/local"
)

func main() {
	worker := js.Global()
	send := func(n int, line []byte) { worker.Call("quintetLine", n, string(line)) }
	done := func(n, status int) { worker.Call("quintetDone", n, status) }
	s := local.NewServer(context.Background(), local.New(time.Now, func() { time.Sleep(time.Millisecond) }), send, done)
	worker.Set("quintetAsk", js.FuncOf(func(_ js.Value, a []js.Value) any {
		s.Ask(a[0].Int(), local.Request{Method: a[1].String(), Path: a[2].String(), Body: []byte(a[3].String())})
		return nil
	}))
	worker.Set("quintetCancel", js.FuncOf(func(_ js.Value, a []js.Value) any {
		s.Cancel(a[0].Int())
		return nil
	}))
	worker.Call("quintetReady")
	select {} // until the page ends the worker
}
