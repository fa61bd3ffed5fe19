package serve

// reasons are all reasons that a Problem can have, with their codes. They are part
// of the interface: openapi.json and docs/api.md list them, and the pages have a
// sentence for each (problem.REASON in web/strings). A reason that is the code
// itself is not more precise than that.
func reasons() map[string]string {
	list := map[string]string{
		"replay": "illegal", "puzzle": "missing", "name.taken": "taken", "account.none": "token", "account.missing": "missing", "challenge.gone": "missing", "account.many": "taken", "vacation.days": "taken", "class.code": "password", "class.field": "invalid", "class.handin": "limited", "class.missing": "missing", "class.role": "scope", "class.state": "nothing", "tournament.code": "password", "tournament.field": "invalid", "tournament.host": "scope", "tournament.missing": "missing", "tournament.file": "missing", "tournament.state": "nothing", "code": "password", "passkey": "password", "passkey.https": "scope", "passkey.last": "taken", "moderator": "scope", "person.blocked": "taken", "key.used": "taken", "claim.turn": "turn", "plan.turn": "turn", "plan.line": "illegal", "plan.many": "invalid", "study.stale": "stale", "study.key": "token", "away.turn": "turn",
		"internal": "internal", "broken": "broken", "fault": "broken", "fault.engine": "broken", "gone": "unavailable", "unknown": "unavailable", "busy": "unavailable",
	}
	for code, all := range map[string][]string{
		"": {
			"invalid", "token", "seat", "turn", "origin", "missing", "method", "upgrade", "host", "stale", "taken", "over", "time", "form", "running", "large", "illegal", "limited",
			"unavailable", "full", "password", "scope",
		},
		"invalid": {
			"request", "key", "side", "ply", "move", "from", "seats", "as", "what", "form.unknown", "state", "game", "limit", "before", "after", "do",
			"name", "name.engine", "name.hidden", "name.account", "rated.guest", "why", "scopes", "result", "clock", "delay", "moves", "moves.many", "position", "start.over", "options", "answer.several", "record", "review.empty", "lines", "study.edit", "push",
		},
		"nothing": {
			"claim.never", "plan.never", "claim.off", "claim.nobody", "claim.asked", "draw.nobody", "draw.engine", "draw.asked", "takeback.none", "takeback.ply", "takeback.asked", "takeback.rated", "berserk",
			"rematch.early", "rematch.nobody", "rematch.aborted", "rematch.done", "rematch.asked", "answer.nothing", "decline.halt",
			"away.nobody", "away.engine", "away.days", "away.here", "away.early", "away.rated",
		},
		"running": {"running.game", "running.position"},
		"missing": {"missing.review", "missing.study"},
		"many":    {"many.moves", "many.requests", "study.full"},
		"limited": {"limited.requests", "limited.games", "limited.seats", "limited.commands", "limited.jobs", "limited.edits", "limited.disk", "limited.passwords", "limited.codes", "limited.accounts", "limited.phrases"},
	} {
		for _, reason := range all {
			list[reason] = code
			if code == "" {
				list[reason] = reason
			}
		}
	}
	return list
}
