# Guichê. `make help` lists the targets.
SHELL := /bin/bash
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
TEMPL    = go run github.com/a-h/templ/cmd/templ@$(shell go list -m -f '{{.Version}}' github.com/a-h/templ)
LINT    := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOBUILD := CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)'
ASSETS  := static/dist/manifest.json
VIEWS   := $(shell find web -name '*.templ' -o -name '*.go' -not -name '*_templ.go' -not -name '*_test.go')
FONTS   := internal/guide/fonts/dist/fonts.json
LICENSES := static/dist/licenses.json.gz
TARGETS := linux/amd64 linux/arm64 windows/amd64 darwin/arm64
TOOLS   := ./.ci/licenses ./.ci/mutate
# browsers are heavy: no more than four tests of a package at a time, on any machine
PARALLEL := $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((n < 4 ? n : 4)))
ARGS    ?=

.PHONY: help run dev torture torture-short torture-rows cluster dev-demo test test-postgres tools race check build binary assets licenses generate mutate bench bench-data bench-history bench-submit bench-clerks bench-profile bench-postgres bench-keys lighthouse rights screenshots picture manual dist clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-12s %s\n", $$1, $$2}' Makefile

run: build ## build everything and start the demo on http://127.0.0.1:8080
	@bin/guiche demo $(ARGS)

dev: assets ## the demo, built again and reloaded when a file changes
	$(TEMPL) generate -path web --watch --proxy http://127.0.0.1:8080 --open-browser=false --cmd '$(MAKE) -s dev-demo'

dev-demo: assets
	@go run ./cmd/guiche demo $(ARGS)

build: assets licenses binary ## assets and one static binary, bin/guiche

binary: ## the binary alone, from assets built before
	$(GOBUILD) -o bin/guiche ./cmd/guiche

assets: $(ASSETS) $(FONTS) ## the browser's files and the fonts of the guides, through npm

static/node_modules/.stamp: static/package.json static/package-lock.json
	cd static && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

$(ASSETS): static/node_modules/.stamp $(shell find static -type f -not -path 'static/node_modules/*' -not -path 'static/dist/*' -not -name '*.go' -not -name '*.md' -not -name fonts.mjs) $(VIEWS)
	cd static && node build.mjs

$(FONTS): static/node_modules/.stamp static/fonts.mjs $(wildcard go.mod)
	cd static && node fonts.mjs

licenses: $(LICENSES) ## the licence texts that `guiche licenses` prints

$(LICENSES): $(ASSETS) $(FONTS) go.mod go.sum LICENSE $(wildcard .ci/licenses/*.go) internal/licenses/licenses.go
	go run ./.ci/licenses -targets '$(TARGETS)' -o $@

generate: ## templ views to Go
	$(TEMPL) generate -path web

# what drives programs and browsers; the race detector would watch the driver alone
DRIVERS := ./internal/e2e ./cmd/guiche ./internal/torture ./internal/bench
# one thing after the other: nothing for the detector, or nothing that webui does not do under it at the same time
ALONE   := ./internal/golden ./internal/archtest ./internal/bench/data ./migrations
# those that take longest begin first, so that none is left alone at the end
LONGEST := guiche/internal/app guiche/internal/webui
UNRACED := $(DRIVERS) $(ALONE)
OTHERS   = $(LONGEST) $(filter-out $(LONGEST) $(UNRACED:./%=guiche/%),$(shell go list ./...))
# SQLite is C translated to Go: the detector is six times as slow in it, and finds nothing of ours
# there. Only that package: what of Go's own generic code another one compiles serves the whole program.
# What it stands on does C's arithmetic with pointers, which is not checked at each step.
DETECTOR = -race -gcflags=modernc.org/sqlite/lib=-race=false -gcflags=modernc.org/libc=-d=checkptr=0 \
	-gcflags=modernc.org/memory=-d=checkptr=0

test: tools assets licenses ## all tests, browser tests included; installs what they need, or says how; with RACE=1 under the race detector
	go test -count=1 -timeout 40m -p 2 -parallel $(PARALLEL) $(if $(RACE),$(DETECTOR)) $(OTHERS)
	go test -count=1 -timeout 40m -p 2 -parallel $(PARALLEL) $(UNRACED) $(TOOLS)
	@$(MAKE) --no-print-directory test-postgres
	@$(MAKE) --no-print-directory torture-short

# stores, whose tests pass on both engines
BOTH := accessstore accountstore auditlog backupstore blobnames bucketstore caselist checksum connectionstore damagestore deskstore directorystore keystore reportstore servicestore unsynced

# what stands on them: the desk, the service and its interface with the conformance suite, people, the connection
OVER := account connection desk service service/access service/admin service/api service/conformance

# of the pages the way from a form to the guide, and what reads and writes most
PAGES := TestForm_(WithoutScript|Draft)$$|TestDraft_(Conflict|SecondTab|Quota)$$|TestSubmit_|TestCase_(Followed|Note|Held|FoundByNumber)$$
PAGES := $(PAGES)|TestQueue_(Order|Conclude|Next|Counters)$$|TestHistory(_Filter|_Row)?$$|TestGuide_Headers$$|TestReceipt$$
PAGES := $(PAGES)|TestAttach(Later|ment_Again)$$|TestCancel_Demo$$|TestBiometrics_Demo$$|TestReply_(Page|Late|Final)$$
PAGES := $(PAGES)|TestPeople_(Add|AtOnce)$$|TestAudit_(Page|Tells)$$|TestSynchronise$$|TestStandalone_API$$|TestSearch_(Known|Procedures)$$
PAGES := $(PAGES)|TestWays$$

test-postgres: assets ## what runs on PostgreSQL as well: stores, the service's interface and the main job, on servers of their own
	GUICHE_TEST_ENGINE=postgres go test -count=1 -timeout 20m -p 2 -parallel 4 $(BOTH:%=./internal/store/%) $(OVER:%=./internal/%)
	GUICHE_TEST_ENGINE=postgres go test -count=1 -timeout 20m -parallel 4 -run '$(PAGES)' ./internal/webui
	GUICHE_TEST_ENGINE=postgres go test -count=1 -timeout 20m -run 'TestMainJob$$' ./internal/e2e

TORTURE = go run ./internal/torture/cmd -binary bin/guiche

torture-short: binary ## 2,000 requests through the forms, under faults and kills, in less than a minute
	@$(TORTURE) $(ARGS)

torture: binary ## the same with 200,000 requests and 1,000 kills; make torture ARGS='-submissions 20000 -kills 100 -seed 7'
	@$(TORTURE) -kinds keys,silent,lookup,both -submissions 200000 -kills 1000 -quiet 10m $(ARGS)
	@$(MAKE) --no-print-directory torture-rows

torture-rows: binary ## what else may happen meanwhile: few descriptors, a full disk, power loss (as root, with strace)
	@set -e; for row in descriptors busy disk second restore hang flips power; do \
	  echo "$$row:"; $(TORTURE) -row $$row -submissions $$([ $$row = power ] && echo 25 || echo 1000) -kills 10 -clerks 20 $(ARGS); done
	$(GOBUILD) -tags torture -o bin/guiche-torture ./cmd/guiche
	@echo clock:; go run ./internal/torture/cmd -binary bin/guiche-torture -row clock -submissions 1000 -kills 10 -clerks 20 $(ARGS)

# how many forms; a kill comes with every 20 of them, a round of faults with every 1,000
FORMS ?= 2000

cluster: ## three processes behind haproxy on PostgreSQL and S3, under faults and kills; make cluster FORMS=10000
	GUICHE_CLUSTER=$(FORMS) go test -count=1 -timeout 60m -run 'TestRun_Cluster$$' -v ./internal/torture

tools:
	@.ci/tools npm chromium pdftotext qpdf

race: assets ## the tests under the race detector, those aside that drive a program or do one thing after the other
	go test -count=1 -timeout 40m $(DETECTOR) $(OTHERS)

check: assets ## format, generated files, modules, vet for every system, lint, dead code, vulnerabilities
	@.ci/clean-tree '$(TEMPL)'
	@.ci/long-lines
	go mod verify >/dev/null
	go vet ./... $(TOOLS)
	GOOS=windows go vet ./...
	GOOS=darwin go vet ./...
	go vet -tags torture,profile ./cmd/guiche
	$(LINT) run ./... $(TOOLS)
	@.ci/deadcode
	@.ci/vulnerabilities

mutate: assets ## how many small mistakes the packages' own tests notice
	@go run ./.ci/mutate $(ARGS)

bench: assets bench-data binary ## speed and memory as tables of ratios, measured side by side
	@.ci/bench $(ARGS)
	@$(BENCH) -what history
	@$(BENCH) -what submit
	@$(BENCH) -what clerks
	@$(BENCH) -what postgres

BENCH = go run ./internal/bench/cmd

bench-data: assets ## a thousand and a million cases to measure speed on, in .bench; once for each schema
	@$(BENCH) $(ARGS)

bench-history: assets binary bench-data ## the pages that show cases, over a million and over a thousand, in less than a minute; beside PocketBase where it is on PATH
	@$(BENCH) -what history $(ARGS)

bench-submit: assets binary bench-data ## what is sent off, and authorizations, in less than a minute
	@$(BENCH) -what submit $(ARGS)

bench-clerks: assets binary bench-data ## 500 clerks who send while the service takes 300 ms, in a minute and a half
	@$(BENCH) -what clerks $(ARGS)

bench-profile: assets bench-data ## where the time of three pages and of two posts goes
	$(GOBUILD) -tags profile -o bin/guiche-profile ./cmd/guiche
	@$(BENCH) -what profile -binary bin/guiche-profile $(ARGS)

bench-postgres: assets binary ## pages, submissions and several processes on PostgreSQL beside SQLite, in less than three minutes once filled
	@$(BENCH) -what postgres $(ARGS)

bench-keys: assets ## keys, model time and waits of the ways from the queue to a verdict
	@go test -count=1 -v -run 'TestKeys$$' ./internal/e2e | grep -o '[a-z]*: [0-9]* keys, .*'

LIGHTHOUSE = .ci/lighthouse/node_modules/.stamp

$(LIGHTHOUSE): .ci/lighthouse/package.json .ci/lighthouse/package-lock.json
	cd .ci/lighthouse && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

lighthouse: assets $(LIGHTHOUSE) ## every page by Lighthouse, desktop and phone, three times each: half an hour
	@.ci/tools npm chromium
	set -o pipefail; go test -tags lighthouse -count=1 -timeout 3h -v -run 'TestLighthouse$$' ./internal/e2e $(ARGS) | grep -v '"level"'

rights: ## .github/rights.md from the table of routes
	go test -count=1 ./internal/webui -run TestRights_Table -update

screenshots: assets ## every page in both themes and both sizes, into dist/screenshots
	@.ci/tools chromium
	go test -count=1 -run TestPages ./internal/e2e -screenshots $(CURDIR)/dist/screenshots

picture: assets ## the picture in the README
	@.ci/tools chromium
	go test -count=1 -run TestPages_Readme ./internal/e2e -screenshots $(CURDIR)/.github

manual: assets ## the pictures of the help page, drawn from its pages anew
	@.ci/tools chromium
	go test -count=1 -run 'TestManual$$' ./internal/e2e -draw-manual

dist: assets licenses ## binaries for Linux, Windows and macOS, with checksums and a list of what is in them (CycloneDX)
	@mkdir -p dist
	for t in $(TARGETS); do \
	  ext=; [ $${t%/*} = windows ] && ext=.exe; \
	  GOOS=$${t%/*} GOARCH=$${t#*/} $(GOBUILD) -o dist/guiche-$${t%/*}-$${t#*/}$$ext ./cmd/guiche || exit 1; done
	go run ./.ci/licenses -targets '$(TARGETS)' -o $(LICENSES) -sbom dist/guiche-sbom.cdx.json -version '$(VERSION)'
	cd dist && sha256sum guiche-* > SHA256SUMS

clean: ## remove what was built
	rm -rf bin dist static/node_modules && find static/dist internal/guide/fonts/dist -type f ! -name .keep -delete
