# `make demo` and `make test` are all one needs; both install what is missing
# (.ci/deps says what and why) and never again once it is there.

GO      ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unreleased)
BUILD    = $(GO) build -ldflags "-X main.built=$(VERSION)" -o bin/lansquenet ./cmd/lansquenet

STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2

.PHONY: demo test build run check bench stress kills clean hwtest hwtest-arm train install

demo: build                 ## a rendered table at http://localhost:8080
	bin/lansquenet demo

test: deps-test             ## every test; with CI=true those of hwtest, too
	$(GO) test -timeout 30m ./...
	$(if $(CI),$(MAKE) hwtest)

build: deps-build           ## bin/lansquenet
	$(BUILD)

run: build                  ## hosts a night on this machine
	bin/lansquenet run

check: deps-test            ## what a change must pass
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "gofmt -w $$bad"; exit 1; }
	$(GO) vet ./...
	$(STATICCHECK) ./...
	$(GO) test -race ./...
	$(GO) test -count=1 -tags matprofile -run NoMatStaysOpen ./vision/cv
	CGO_ENABLED=0 $(GO) build ./...
	CGO_ENABLED=0 $(GO) test ./...
	@[ -z "$$(git status --porcelain)" ] || { git status --short; echo "the tree is not clean"; exit 1; }

bench: deps-build           ## times a frame, a coup, an entry
	$(GO) test -run '^$$' -bench . -benchmem ./...

hwtest:                     ## buttons, lamps and cameras under a real kernel, ten minutes
	@.ci/deps build hwtest
	LANSQUENET_BENCH=1 $(GO) test -count=1 -v -timeout 1h ./hw/bench

hwtest-arm:                 ## the same program for arm64, on what says it is a Pi 5, 4, Zero 2 W and 3
	@.ci/deps hwtest hwtest-arm
	BENCH_ARCH=arm64 hw/bench/run.sh pis

# Training reads nothing but artwork and typefaces of Debian's; see vision/train.
TRAIN = .cache/train
train:                      ## the nets again from nothing, three hours on one core
	@.ci/deps train
	mkdir -p $(TRAIN)
	cd vision/train && python3 artwork.py $(CURDIR)/$(TRAIN)/artwork.npz
	cd vision/train && python3 scenes.py $(CURDIR)/$(TRAIN)/artwork.npz $(CURDIR)/$(TRAIN)/held 5000 9000 held
	cd vision/train && python3 scenes.py $(CURDIR)/$(TRAIN)/artwork.npz $(CURDIR)/$(TRAIN)/bank 60000 201
	cd vision/train && for net in corner face suit; do \
		python3 train.py $$net $(CURDIR)/$(TRAIN)/bank $(CURDIR)/$(TRAIN)/held 30 ../weights/$$net.onnx || exit 1; done
	cd vision/train && python3 index.py train $(CURDIR)/$(TRAIN)/bank 30 ../weights/index.onnx
	cd vision/train && python3 measure.py held $(CURDIR)/$(TRAIN)/held ../weights
	cd vision/train && python3 index.py held $(CURDIR)/$(TRAIN)/held ../weights/index.onnx ../weights/corner.onnx

install: build              ## as a service; needs root
	install -m 755 bin/lansquenet /usr/local/bin/lansquenet
	install -D -m 644 systemd/lansquenet.sysusers.conf /usr/lib/sysusers.d/lansquenet.conf
	install -D -m 644 systemd/lansquenet.service /etc/systemd/system/lansquenet.service
	[ -e /etc/lansquenet.toml ] || { bin/lansquenet config >/etc/lansquenet.toml; chmod 640 /etc/lansquenet.toml; }
	systemd-sysusers
	chgrp lansquenet /etc/lansquenet.toml
	systemctl daemon-reload

stress: deps-build          ## a host who does anything in any order, and parsers fed anything, for an hour
	$(GO) test -count=1 -timeout 3h -v -run RandomHost ./ledger/table -host.actions 5000000
	LANSQUENET_LONG=1 $(GO) test -count=1 -timeout 3h -v -run 'MemoryStaysFlat|NoRankForBacks' ./vision/cv
	$(GO) test -count=1 -timeout 3h -v -run 'Against|DealtDown|Even|Edges' ./ledger/simulate -coups 2000000
	$(GO) test -run '^$$' -fuzz FuzzReader -fuzztime 2m ./ledger/script
	$(GO) test -run '^$$' -fuzz FuzzParseRanks -fuzztime 1m ./ledger/odds
	$(GO) test -run '^$$' -fuzz FuzzDecode -fuzztime 2m ./ledger/game
	$(GO) test -run '^$$' -fuzz FuzzResolve -fuzztime 2m ./ledger/game

kills: deps-build           ## what a journal has to survive, for an hour
	LANSQUENET_KILLS=300 LANSQUENET_LONG=1 $(GO) test -count=1 -timeout 3h -v -run 'Kill|Cut|Flip|Mangled' ./ledger ./ledger/journal

clean:
	rm -rf bin .cache

.PHONY: deps-build deps-test
deps-build:
	@.ci/deps build
deps-test:
	@.ci/deps build test
