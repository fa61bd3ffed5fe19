package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// limitRows are the table of limits of docs/operations.md. {PACKAGE.NAME} stands for a constant, a
// number unless it is followed by :bytes or :time.
var limitRows = []string{
	"new games, rematches, reviews and studies of an address | {cmd/quintet.createBurst} at once, then {cmd/quintet.createSecond} a second",
	"seats taken from an address; edits of studies from an address; commands of a seat (edits count once more for each {serve/api.bytesPerToken:bytes}) | {cmd/quintet.commandBurst} at once, then {cmd/quintet.commandSecond} a second",
	"all requests of an address, and all frames of its WebSockets | {cmd/quintet.requestBurst} at once, then {cmd/quintet.requestSecond} a second",
	"events that an address has stored, its reviews included | {cmd/quintet.diskBurst:bytes} at once, then {cmd/quintet.diskSecond:bytes} a second",
	"new accounts of an address; sign-ins and changes of accounts | {cmd/quintet.accountBurst} at once, then {cmd/quintet.accountMinute} a minute; {cmd/quintet.passwordBurst}, then {cmd/quintet.passwordMinute}",
	"passwords that wait to be hashed; time that they wait; those of a client that go first | {serve/accounts.hashQueue}; {serve/accounts.hashWait:time}; {serve/api.firstHashes} at once, then one in {serve/api.firstHashEvery} s",
	"an account: name; sessions and tokens; guests whose games it has; passkeys; games of an export | {people.MaxName} characters; {people.MaxGrants}; {people.MaxGuests}; {people.MaxPasskeys}; {serve/accounts.maxExported}",
	"people whom an account follows, and blocks; open reports of an account; of all | {people.MaxCircle} each; {people.MaxReportsEach}; {people.MaxReports}",
	"challenges of an account; to an account; of all; in a list; time to accept one, and one to a slow game | {people.MaxChallengesOut}; {people.MaxChallengesIn}; {people.MaxChallenges}; {serve/play.maxListed}; {people.ChallengeMinutes} min, {people.SlowDays} days",
	"progress of an account with puzzles and lessons | {people.MaxProgress:bytes}",
	"days of vacation of an account in {people.YearDays} days | {people.VacationDays}",
	"push subscriptions of an account; bytes of an endpoint; pending notifications of an account, of all; messages queued for delivery, in each of four lanes; those of an account that are queued or being sent; concurrent deliveries to browser push services, other endpoints, slow ones of each; how long an endpoint counts as slow; timeout; tries | {people.MaxPushes}; {people.MaxEndpoint}; {serve/push.maxEach}, {serve/push.maxNotices}; {serve/push.maxLetters}; {serve/push.maxFlying}; {serve/push.browserSenders}, {serve/push.otherSenders}, {serve/push.slowSenders}; {serve/push.slowAge:time}; {serve/push.sendTime:time}; {serve/push.tries}",
	"a password; a session, and without use; accounts of a server | {people.MaxPassword:bytes}; {people.SessionDays} days, {people.IdleDays} days; {people.MaxAccounts}",
	"connections of an address; its WebSockets and event streams | {cmd/quintet.maxConnections} each, or 1/{cmd/quintet.connectionsPart} of the server's file descriptors",
	"reviews and analyses of an address that work or wait | {serve.jobsEach}",
	"requests of an address for records, pictures, replays and studies that wait | {serve/api.RenderEach}",
	"addresses in a /56 of IPv6 together; in a /48 | {serve/fair.Wider} times an address; {serve/fair.Wider} times a /56",
	"headers of a request; an `Idempotency-Key` | {serve.maxHeader:bytes}; {serve/api.maxKey} characters",
	"body of a command; a new game; a line of moves or edits; a record | {serve/api.SmallBody:bytes}; {serve/api.LargeBody:bytes}; {serve/api.LineBody:bytes}; {serve/api.RecordBody:bytes}",
	"phrases of a player in a game | {serve/api.phrases} at once, then one in {serve/api.phraseEvery} s",
	"frame of a WebSocket | {serve/play.frameBytes:bytes}",
	"games in a page of a list | {live/index.MaxLimit}",
	"people who wait for an opponent: of an address; of all; of all servers without an opponent yet; games that they want | {serve/play.seeksEach}; {serve/play.maxSeeks}; {serve/play.maxShared}; {serve/play.maxWants}",
	"time to send headers; to send a body, or take {serve/api.chunkSize:bytes} of an answer; between requests | {serve.headerTime:time}; {serve/api.StallTimeout:time}; {serve.idleTime:time}",
	"time to take a message of a stream or WebSocket; messages that wait there | {serve/api.WriteTime:time}; {serve/hall.watcherBuffer}",
	"name of a player; moves before a game begins; delay | {live.MaxName} characters; {live.MaxMoves}; {live.MaxDelay} s",
	"a game: events; bytes; offers, refusals and take-backs | {live.MaxEvents}; {live.MaxBytes:bytes}; {live.MaxRequests}, and {live.RematchRequests} when it is over",
	"conditional moves of a side: lines; moves of a line | {live.MaxPlanLines}; {live.MaxPlanMoves}",
	"a study: nodes; events; bytes; bytes of the first event | {serve/studies.MaxNodes}; {serve/studies.MaxEvents}; {serve/studies.MaxBytes:bytes}; {serve/studies.maxOpening:bytes}",
	"a request to edit: edits; title; comment; shapes of a node | {serve/studies.MaxEdits}; {serve/studies.MaxTitle} characters; {serve/studies.MaxComment} characters; {serve/studies.MaxShapes}",
	"an analysis: time; positions; lines; moves of a line | {serve/analysis.MaxTime:time}; {serve/analysis.MaxNodes}; {serve/analysis.MaxLines}; {web/wire.MaxPV}",
	"reviews and analyses that take turns; that wait | {serve/jobs.maxActive}; {serve/jobs.maxWaiting}",
	"records and pictures that wait; animations; replays | {serve/api.renderQueue}; {serve/api.animationQueue}; {serve/api.replayQueue}",
	"time that they wait: records, pictures and replays; animations | {serve/api.renderWait:time}; {serve/api.animationWait:time}",
	"engine moves that wait, see `--engine-queue` | {serve.EngineQueue}",
	"records and pictures in memory; animations in memory | {serve/api.renderKept:bytes} each",
	"studies in memory; reviews in memory; classes in memory | {serve/api.maxWeight:bytes} each",
	"accounts and students behind one address, together | {serve/fair.Wider} times an address",
	"classes of a server; of a teacher; students of a class; assignments | {people/class.MaxClasses}; {people/class.MaxTaught}; {people/class.MaxStudents}; {people/class.MaxAssignments}",
	"names of students; titles; reasons, questions and answers; a table of grades | {people/class.MaxName}, {people/class.MaxTitle} and {people/class.MaxText} characters; {people/class.MaxTable:bytes}",
	"an assignment: attempts; wait between them; points; a profile | {people/class.MaxAttempts}; {people/class.MaxWait} s; {people/class.MaxPoints}; {people/class.MaxProfile:bytes}",
	"tournaments of a server that are not over; of an account; that are shown; games of one | {serve/tournaments.MaxOpen}; {serve/tournaments.MaxHosted}; {serve/tournaments.MaxKept}; {serve/tournaments.maxGames}",
	"players of an arena; of a Swiss; of a knockout; of a round robin; levels that play along; games of a medley | {people/tournament.MaxArena}; {people/tournament.MaxSwiss}; {people/tournament.MaxKnockout}; {people/tournament.MaxRobin}; {serve/tournaments.MaxLevels}; {serve/tournaments.MaxVariants}",
	"rounds of a Swiss; meetings of a round robin; minutes of an arena; pause between rounds; before the start; until the organiser starts it | {people/tournament.MaxRounds}; {people/tournament.MaxCycles}; {serve/tournaments.MaxMinutes}; {serve/tournaments.MaxPause} s; {serve/tournaments.MaxAhead} days; {serve/tournaments.MaxHeld} days",
	"clock of a tournament: main time; for each move; title, series; code; tournaments of a series that count; rows of its table; events; bytes of them | {serve/tournaments.MaxMain} s; {serve/tournaments.MaxExtra} s; {serve/tournaments.MaxTitle} and {serve/tournaments.MaxCode} characters; {serve/tournaments.MaxSeries}; {serve/tournaments.seriesRows}; {serve/tournaments.maxEvents}; {serve/tournaments.maxBytes:bytes}",
	"learning platforms of a class; line items; an address of a platform; a launch; launches of a class in 10 minutes; an answer of a platform, its time, public keys; marks that a class sends in a turn | {people/class.MaxPlatforms}; {people/class.MaxLines}; {people/class.MaxURL:bytes}; {serve/classes.maxLaunch:bytes}; {serve/classes.maxLaunches}; {serve/lti.maxAnswer:bytes}, {serve/lti.requestTime:time}, {serve/lti.maxKeys}; {serve/classes.maxTurn}",
	"a submission: the request; files; bytes, compressed; tries to judge it | {serve/classes.maxBody:bytes}; {serve/classes.maxFiles}; {serve/classes.maxKept:bytes}; {people/class.MaxFaults}",
	"submissions that wait; of a student (a class has four times as much); events of a class; bytes of them | {serve/classes.maxWaiting}; {serve/classes.maxOfEach}; {serve/classes.maxEvents}; {serve/classes.maxBytes:bytes}",
	"a similarity report: source per program; tokens per program; entries and nesting of archives; pairs shown in each order | {serve/classes.maxCompared:bytes}; {judge/similar.maxTokens}; {serve/classes.maxEntries} and {serve/classes.maxNested}; {serve/classes.maxPairs}",
	"a league: positions of a move; its processor time; rounds of a program; matches of two programs; against a level; programs of a final | {people/class.MaxNodes}; {people/class.MaxTime} ms; {serve/classes.maxRounds}; {serve/classes.maxMeetings}; {serve/classes.maxLadder}; {people/class.MaxFinalists}",
}

// notLimits are constants that look like limits of what clients can ask for, and are not.
var notLimits = []string{
	"cmd/quintet.maxEngineQueue", "cmd/quintet.maxEngines", // of flags
	"people/class.maxEarlier", "people/class.maxRounds", "people/class.maxTries", "serve/classes.maxTalk", "serve/classes.maxDoubled", "serve/lti.refusedWait", "serve/lti.conflictWait", "people/class.maxMatches", "serve/classes.maxLost", // of what is kept and shown
	"people/tournament.MaxReplays", "people/tournament.maxReport", "people/tournament.mostWait", "people/tournament.mostInRow", "serve/tournaments.maxMissed", "serve/tournaments.maxSteps", // rules and steps of tournaments
	"cmd/quintet.maxControlBody", "live.maxErasureBytes", "live.maxErasures", // of operators
	"live.MaxLag", "live.maxPause", "live.maxReceipts", // rules of clocks and commands
	"live/index.maxRanges", "live/index.maxRebuilds", "serve/play.maxExpired", "serve/play.maxStuck", // steps of work
	"serve.maxJobsElsewhere", "serve/hall.maxElsewhere", "serve/hall.maxIdle", "serve/play.mostAhead", "serve/reviews.maxPV", "serve/reviews.maxName", // of what the server does on its own
	"serve/api.maxProblemText", "serve/api.maxRest", "serve/clock.maxRunAhead", "serve/hall.maxTries", "serve/hall.maxTryTime", "serve/studies.MaxSince",
	"serve/play.claimWait", "serve.eraseWait", "serve/hall.faultsKept",
	"serve/play.maxCookies",              // within a header
	"people.MaxLabel", "people.maxTries", // shown to the account alone; of what the server does on its own
}

// TestLimits checks that docs/operations.md has the limits of the program, all of them, with the
// values that they have. With QUINTET_GOLDEN=1 it writes them.
func TestLimits(t *testing.T) {
	const name, begin, end = "../../docs/operations.md", "| Limit | At most |\n|---|---|\n", "\n\n"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(data), begin)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no table of limits", name)
	}
	known := &constants{packages: map[string]map[string]ast.Expr{}}
	var rows []string
	for _, row := range limitRows {
		rows = append(rows, "| "+known.fill(t, row)+" |")
	}
	want := before + begin + strings.Join(rows, "\n") + end + after
	if want != string(data) && os.Getenv("QUINTET_GOLDEN") != "" {
		err = os.WriteFile(name, []byte(want), 0o600)
	} else if want != string(data) {
		t.Errorf("the table of limits of %s is outdated: make golden writes it again", name)
	}
	if err != nil {
		t.Error(err)
	}
	limit := regexp.MustCompile(`^([mM]ax|[mM]ost)[A-Z]|(Burst|Queue|Wait|Each|Kept|Body)$`)
	for _, pkg := range []string{"cmd/quintet", "live", "live/index", "people/class", "people/tournament", "serve", "serve/analysis", "serve/api", "serve/classes", "serve/clock", "serve/fair", "serve/hall", "serve/jobs", "serve/lti", "serve/play", "serve/puzzles", "serve/reviews", "serve/studies", "serve/tournaments"} {
		for constant := range known.of(t, pkg) {
			full := pkg + "." + constant
			listed := slices.Contains(notLimits, full) || strings.Contains(strings.Join(limitRows, "\n"), "{"+full)
			if limit.MatchString(constant) && !listed && (pkg != "cmd/quintet" || known.in["cmd/quintet."+constant] == "serve.go") {
				t.Errorf("%s looks like a limit: add it to limitRows or notLimits", full)
			}
		}
	}
}

// constants are the constants of packages, by folder and name.
type constants struct {
	packages map[string]map[string]ast.Expr
	in       map[string]string // the files of the constants
}

// of returns the constants of a package.
func (c *constants) of(t *testing.T, pkg string) map[string]ast.Expr {
	t.Helper()
	if known := c.packages[pkg]; known != nil {
		return known
	}
	all := map[string]ast.Expr{}
	c.packages[pkg] = all
	if c.in == nil {
		c.in = map[string]string{}
	}
	entries, err := os.ReadDir("../../" + pkg)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if path.Ext(e.Name()) != ".go" || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), "../../"+pkg+"/"+e.Name(), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.CONST {
				continue
			}
			for _, s := range g.Specs {
				v, _ := s.(*ast.ValueSpec) // constants have no other
				for i, value := range v.Values {
					all[v.Names[i].Name], c.in[pkg+"."+v.Names[i].Name] = value, e.Name()
				}
			}
		}
	}
	return all
}

// fill puts the values of constants into a row.
func (c *constants) fill(t *testing.T, row string) string {
	t.Helper()
	return regexp.MustCompile(`\{([a-z/]+)\.([A-Za-z]+)(:[a-z]+)?\}`).ReplaceAllStringFunc(row, func(text string) string {
		name, format, _ := strings.Cut(strings.Trim(text, "{}"), ":")
		pkg, constant, _ := strings.Cut(name, ".")
		value, ok := c.of(t, pkg)[constant]
		if !ok {
			t.Errorf("there is no constant %s", name)
			return ""
		}
		return shownLimit(c.value(t, pkg, value), format)
	})
}

// value evaluates a constant expression.
func (c *constants) value(t *testing.T, pkg string, e ast.Expr) int64 {
	t.Helper()
	switch e := e.(type) {
	case *ast.BasicLit:
		n, err := strconv.ParseInt(e.Value, 0, 64)
		if err == nil {
			return n
		}
	case *ast.ParenExpr:
		return c.value(t, pkg, e.X)
	case *ast.Ident:
		if value, ok := c.of(t, pkg)[e.Name]; ok {
			return c.value(t, pkg, value)
		}
	case *ast.SelectorExpr:
		switch e.Sel.Name {
		case "Second":
			return int64(time.Second)
		case "Minute":
			return int64(time.Minute)
		}
	case *ast.BinaryExpr:
		x, y := c.value(t, pkg, e.X), c.value(t, pkg, e.Y)
		switch e.Op {
		case token.MUL:
			return x * y
		case token.QUO:
			return x / y
		case token.SHL:
			return x << y
		}
	}
	t.Errorf("%s has an expression that this test cannot evaluate: %#v", pkg, e)
	return 1
}

// shownLimit shows a value as people read it.
func shownLimit(n int64, format string) string {
	switch {
	case format == "time":
		return strings.TrimSuffix(strings.NewReplacer("m0s", " min", "s", " s").Replace(time.Duration(n).String()), " ")
	case format == "bytes" && n >= 1<<20 && n%(1<<20) == 0:
		return fmt.Sprintf("%d MB", n>>20)
	case format == "bytes" && n >= 1<<10 && n%(1<<10) == 0:
		return fmt.Sprintf("%d KB", n>>10)
	case format == "bytes":
		return shownLimit(n, "") + " bytes"
	case n >= 1000:
		return shownLimit(n/1000, "") + fmt.Sprintf(",%03d", n%1000)
	}
	return strconv.FormatInt(n, 10)
}
