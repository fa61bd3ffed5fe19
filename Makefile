# make check is what CI runs. The other targets are its parts and the tools of
# the trade; make help lists them.

GO   ?= go
LINT  = $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

.PHONY: check
check: tools ## everything: formatting, lint with vet, all tests
	$(MAKE) --jobs=2 tidy raced lint browser parts plain portable

.PHONY: tools
tools: ## install what the tests need beside Go, where it is missing
	.ci/tools

.PHONY: tidy
tidy: ## fail if go.mod or go.sum are out of date
	$(GO) mod tidy -diff

.PHONY: lint
lint: ## golangci-lint, with vet and formatting (the first run builds it, in some minutes)
	$(LINT) run

# The packages with goroutines of their own: structure_test.go keeps the lists
# complete. Elsewhere the race detector finds nothing and costs ten times as much.
# Of RACED_PARTS only the tests of concurrency run with it, by their names: searches have one goroutine,
# but for helper threads and the flag that stops them, and most commands have one, too.
# The longest come first, so that no processor idles at the end.
RACED = ./serve ./people ./people/class ./serve/classes ./serve/tournaments ./farm/coordinator ./lab/chaos ./arena ./arena/players ./farm/jet ./engine/remote ./engine/remote/pipe ./engine/remote/workers \
	./farm/judging ./farm/natsrpc ./farm/worker ./lab/chaos/proxy ./internal/cli ./internal/lang ./internal/gcpace ./internal/platform ./lab/fair ./lab/load ./judge/batch ./judge/league ./judge/run ./live ./live/index \
	./live/jet ./protocol ./protocol/env ./protocol/program ./protocol/reversi ./serve/accounts ./serve/analysis ./serve/api ./serve/clock ./serve/fair ./serve/hall ./serve/jobs ./serve/lti ./serve/play ./serve/push ./serve/puzzles ./serve/reviews ./tui ./tui/remote ./web ./web/local
RACED_PARTS = ./cmd/quintet ./lab/attack ./bots ./bots/connect6 ./bots/othello/book ./bots/othello/endgame ./bots/othello/midgame ./engine ./farm/scheduler ./game/perft ./lab/spsa ./lab/train ./serve/studies

CONCURRENT = Cancel|Concurrent|Continue|Control|Dearest|Divide|Editors|Helpers|Interrupted|Linger|LiveTable|Parameters|Progress|Same|Slow|Sockets|Stop|Thread

ONCE = $(patsubst ./%,quintet/%,$(RACED))

# make lint includes vet. With go test it would take a second reading of all packages. The limit
# for a package is for slow and busy machines.
TEST = $(GO) test -vet=off -timeout 45m

# make check runs two of these at a time, because tests that wait would leave a processor idle. It starts
# with the longest one and with lint, which compile different packages: two go commands that need a package at the
# same time both compile it.
# SQLite is built without the race detector: it is C translated to Go and uses one thread. With the detector,
# tests that write lists take four times the processor time. Passwords, compression and pictures are computed
# by one goroutine, too.
RACE = -race $(foreach pkg,modernc.org/... golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b compress/... image/... golang.org/x/image/... quintet/picture,-gcflags=$(pkg)=-race=false)

# The tests of servers, protocols and terminals search a lot. Searches have tests with the race detector of their
# own, in RACED_PARTS; here the detector watches what starts and shares them. That halves the processor time.
OUTSIDE = ./cmd/% ./farm/% ./lab/attack ./serve/%
RACE_OUTSIDE = $(RACE) $(foreach pkg,quintet/bots/... quintet/engine quintet/engine/nnue,-gcflags=$(pkg)=-race=false)

.PHONY: test raced browser plain parts portable
test: raced browser plain parts portable ## all tests: with the race detector where there are goroutines, the rest without

raced:
	$(TEST) $(RACE_OUTSIDE) $(RACED)

browser:
	$(TEST) ./web/browser

plain:
	$(TEST) $(filter-out $(ONCE) $(patsubst ./%,quintet/%,$(RACED_PARTS)) quintet/web/browser,$(shell $(GO) list ./...))

parts:
	$(TEST) $(RACE_OUTSIDE) -run '$(CONCURRENT)' $(filter $(OUTSIDE),$(RACED_PARTS))
	$(TEST) $(RACE) -run '$(CONCURRENT)' $(filter-out $(OUTSIDE),$(RACED_PARTS))
	$(TEST) -skip '$(CONCURRENT)' $(RACED_PARTS)
	QUINTET_SEEDS=10000 $(TEST) -run Simulation ./serve/hall

portable:
	GODEBUG=cpu.avx2=off $(TEST) ./games/othello ./bots/othello/pattern

MUTANTS ?= 400
.PHONY: mutants
mutants: ## put MUTANTS (400) mistakes into all packages that ship, one at a time: tests must notice 90 %
	$(GO) run ./cmd/lab mutants --sample $(MUTANTS)

.PHONY: pagemutants
pagemutants: ## put SAMPLE (20) mistakes into the scripts of pages, one at a time: browser scenes must notice; SEED=1 FILES=tree.ts,board.tsx
	CHROMIUM=$$(command -v chromium-headless-shell chromium | head -1) SAMPLE=$(SAMPLE) SEED=$(SEED) FILES=$(FILES) node web/browser/mutants.mjs

.PHONY: bench
bench: ## the speed of rules, perft and playouts
	$(GO) test -run '^$$' -bench . -benchmem ./...

FUZZTIME ?= 20s
FUZZPKGS ?= ./...
FUZZWITH ?=
.PHONY: fuzz
fuzz: ## every fuzz target of FUZZPKGS (./...) for FUZZTIME (20s); FUZZWITH="-parallel 1" leaves others a core
	@for pkg in $$($(GO) list $(FUZZPKGS)); do \
		for target in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz'); do \
			echo "== $$pkg $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $(FUZZWITH) $$pkg || exit 1; \
		done; \
	done

.PHONY: ui
ui: ## make the program and the style sheet of the pages anew, from web/ui into web/assets
	$(GO) run ./lab/webbuild

.PHONY: wasm
wasm: ## make the engine of the pages anew, from web/wasm into web/assets
	GOOS=js GOARCH=wasm $(GO) build -trimpath -buildvcs=false -ldflags "-s -w -buildid=" -o web/assets/engine.wasm ./web/wasm
	gzip -9n < web/assets/engine.wasm > web/assets/engine.bin
	rm web/assets/engine.wasm
	cp "$$($(GO) env GOROOT)/lib/wasm/wasm_exec.js" web/ui/vendor/wasm_exec.js
	$(GO) run ./lab/webbuild

ATTACK ?= 1m
.PHONY: attack
attack: ## attack a server for ATTACK (1m) with hostile requests, sockets and a hundred clients
	QUINTET_ATTACK=$(ATTACK) $(GO) test -v -count 1 -timeout 1h ./lab/attack

NODES ?= 20
NODES_DIR := $(shell mktemp -u -d -t quintet-nodes-XXXXXX)
.PHONY: nodes
nodes: ## kill, pause, stop and cut off three machines on this one NODES (20) times in each role, under load
	$(GO) build -o $(NODES_DIR)/quintet ./cmd/quintet
	$(GO) build -o $(NODES_DIR)/nats-server github.com/nats-io/nats-server/v2
	$(GO) build -o $(NODES_DIR)/lab ./cmd/lab
	$(NODES_DIR)/lab chaos nodes --times $(NODES) --quintet $(NODES_DIR)/quintet --nats-server $(NODES_DIR)/nats-server --data $(NODES_DIR)/machines --games 10 --rate 50 --pause 4s

FARM ?= all
.PHONY: farm
farm: ## measure a farm on this machine: FARM=slots, chaos, overhead, times, sprt, restart or all (15 minutes)
	QUINTET_FARM_MEASURE=$(FARM) $(GO) test -v -count 1 -timeout 1h -run 'TestFarm|TestRestart|TestSPRT' ./cmd/quintet ./farm/coordinator ./farm/jobtypes

RECORDS ?= 100000
.PHONY: records
records: ## write and read RECORDS (100000) random records in each format
	QUINTET_RECORDS=$(RECORDS) $(GO) test -timeout 6h -count 1 -run Identity ./record/...

.PHONY: golden
golden: ## write the playthroughs, the terminal's screens, the table of limits and the pictures of the pages again; then read the difference
	QUINTET_GOLDEN=1 $(GO) test ./games/... ./tui ./people/tournament
	QUINTET_GOLDEN=1 $(GO) test -run TestLimits ./cmd/quintet
	QUINTET_GOLDEN=1 QUINTET_BROWSER='golden pictures' $(GO) test -count 1 -run TestBrowser ./web/browser
	git --no-pager diff --stat -- '*.play' docs/operations.md tui/testdata/golden web/browser/testdata/golden

RATED ?= rated
.PHONY: ratings
ratings: ## play the matches of docs/ratings again, with their records in RATED (rated), and write the page
	@mkdir -p $(RATED)
	$(GO) build -o $(RATED)/quintet ./cmd/quintet
	docs/ratings/play.sh $(RATED)/quintet $(RATED)
	QUINTET_GOLDEN=1 $(GO) test -count 1 -run TestRatingsPage ./cmd/quintet

SHOTS ?= gallery
.PHONY: gallery
gallery: ## photograph every page and state at every size into SHOTS (gallery); SCENES=home,settings THEMES=dark,forced SIZES=390x844 for a part
	@mkdir -p $(SHOTS)
	$(GO) build -o $(SHOTS)/quintet ./cmd/quintet
	QUINTET=$(abspath $(SHOTS))/quintet CHROMIUM=$$(command -v chromium-headless-shell chromium | head -1) SHOTS=$(abspath $(SHOTS)) SCENES=$(SCENES) THEMES=$(THEMES) SIZES=$(SIZES) node web/browser/gallery.mjs

.PHONY: frames
frames: ## count dropped frames with the processor slowed four times; BEFORE=quintet beside another build, ROUNDS=6
	@mkdir -p $(SHOTS)
	$(GO) build -o $(SHOTS)/quintet ./cmd/quintet
	QUINTET=$(abspath $(SHOTS))/quintet CHROMIUM=$$(command -v chromium-headless-shell chromium | head -1) SHOTS=$(abspath $(SHOTS)) BEFORE=$(abspath $(BEFORE)) ROUNDS=$(ROUNDS) node web/browser/frames.mjs

.PHONY: pictures
pictures: ## redraw the pictures of docs/terminal.md from screens of the terminal program
	QUINTET_PICTURES=1 $(GO) test ./tui -run Pictures -count 1

DIST     ?= dist
PLATFORMS ?= linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
# The most that a program may take: 48.9 MiB. TestProgramSize checks it.
MAX_BYTES ?= 51300000
.PHONY: release
release: ## build static programs for all PLATFORMS into DIST, with manual pages, completions and checksums
	@mkdir -p $(DIST)
	@for platform in $(PLATFORMS); do \
		os=$${platform%/*}; arch=$${platform#*/}; name=quintet-$$os-$$arch; \
		if [ $$os = windows ]; then name=$$name.exe; fi; \
		echo "$(DIST)/$$name"; \
		CGO_ENABLED=0 GOOS=$$os GOARCH=$$arch $(GO) build -trimpath -buildvcs=auto -ldflags "-s -w" -o $(DIST)/$$name ./cmd/quintet || exit 1; \
		bytes=$$(wc -c < $(DIST)/$$name); \
		if [ $$bytes -gt $(MAX_BYTES) ]; then echo "$$name has $$bytes bytes: expected at most $(MAX_BYTES)" >&2; exit 1; fi; \
	done
	$(GO) run ./cmd/quintet man $(DIST)/man
	cd $(DIST) && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum > SHA256SUMS

DOCKER ?= docker
.PHONY: image
image: ## build a container of the server (quintet:latest) with DOCKER (docker; podman or buildah do, too)
	$(MAKE) release PLATFORMS=linux/$$($(GO) env GOARCH)
	@mkdir -p $(DIST)/data
	@chmod 755 $(DIST)/quintet-linux-$$($(GO) env GOARCH) # the user of the image must be able to run it
	$(DOCKER) build --build-arg TARGETARCH=$$($(GO) env GOARCH) --tag quintet:latest --file packaging/Dockerfile $(DIST)
