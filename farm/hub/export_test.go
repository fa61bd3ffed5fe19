package hub

import "context"

// DecideAll decides all disputes that wait, in place of Run.
func (h *Hub) DecideAll(ctx context.Context) {
	for {
		select {
		case d := <-h.disputes:
			h.decide(ctx, d)
		default:
			return
		}
	}
}
