# make check is what CI runs. The other targets are its parts and the tools of
# the trade; make help lists them.

GO   ?= go
LINT  = $(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0

.PHONY: help
help: ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

.PHONY: check
check: tidy vet lint test ## everything: formatting, vet, lint, all tests

.PHONY: tidy
tidy: ## fail if go.mod or go.sum are out of date
	$(GO) mod tidy -diff

.PHONY: vet
vet: ## vet for this machine, for one without our assembly, and the program for Windows
	$(GO) vet ./...
	GOARCH=arm64 $(GO) vet ./...
	GOOS=windows $(GO) vet ./cmd/quintet

.PHONY: lint
lint: ## golangci-lint, with formatting (the first run builds it, in some minutes)
	$(LINT) run

.PHONY: test
test: ## all tests with the race detector, then without it: deep perft, allocations, the plain twin of the assembly
	$(GO) test -race ./...
	$(GO) test ./...
	GODEBUG=cpu.avx2=off $(GO) test ./games/othello

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
	$(GO) run ./web/build

ATTACK ?= 1m
.PHONY: attack
attack: ## attack a server for ATTACK (1m) with hostile requests, sockets and a hundred clients
	QUINTET_ATTACK=$(ATTACK) $(GO) test -v -count 1 -timeout 1h ./internal/attack

NODES ?= 20
NODES_DIR := $(shell mktemp -u -d -t quintet-nodes-XXXXXX)
.PHONY: nodes
nodes: ## kill, pause, stop and cut off three machines on this one NODES (20) times in each role, under load
	$(GO) build -o $(NODES_DIR)/quintet ./cmd/quintet
	$(GO) build -o $(NODES_DIR)/nats-server github.com/nats-io/nats-server/v2
	$(NODES_DIR)/quintet load --nodes $(NODES) --nats-server $(NODES_DIR)/nats-server --data $(NODES_DIR)/machines --games 10 --rate 50 --pause 4s

RECORDS ?= 100000
.PHONY: records
records: ## write and read RECORDS (100000) random records in each form
	QUINTET_RECORDS=$(RECORDS) $(GO) test -timeout 6h -count 1 -run Identity ./record/...

.PHONY: golden
golden: ## write the playthroughs and the terminal's screens anew; then read the difference
	QUINTET_GOLDEN=1 $(GO) test ./games/... ./tui
	git --no-pager diff --stat -- '*.play' tui/testdata/golden

.PHONY: pictures
pictures: ## draw the pictures of the README anew, from screens of the terminal program
	QUINTET_PICTURES=1 $(GO) test ./tui -run Pictures -count 1
