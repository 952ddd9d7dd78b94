# `make demo` and `make test` are all one needs; both install what is missing
# (.ci/deps says what and why) and never again once it is there.

GO      ?= go
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null || echo unreleased)
BUILD    = $(GO) build -trimpath -ldflags "-X main.built=$(VERSION)" -o bin/lansquenet ./cmd/lansquenet

STATICCHECK = $(GO) run honnef.co/go/tools/cmd/staticcheck@2026.1

.PHONY: demo test build run check bench clean hwtest train

demo: build                 ## a rendered table at http://localhost:8080
	bin/lansquenet demo

test: deps-test             ## every test
	$(GO) test ./...

build: deps-build           ## bin/lansquenet
	$(BUILD)

run: build                  ## hosts a night on this machine
	bin/lansquenet run

check: deps-test            ## what a change must pass
	@bad=$$(gofmt -l $$(git ls-files '*.go')); [ -z "$$bad" ] || { echo "gofmt -w $$bad"; exit 1; }
	$(GO) vet ./...
	$(STATICCHECK) ./...
	$(GO) test -race ./...
	CGO_ENABLED=0 $(GO) build ./...
	CGO_ENABLED=0 $(GO) test ./...
	@[ -z "$$(git status --porcelain)" ] || { git status --short; echo "the tree is not clean"; exit 1; }

bench: deps-build           ## times a frame, a coup, an entry
	$(GO) test -run '^$$' -bench . -benchmem ./...

clean:
	rm -rf bin .cache

.PHONY: deps-build deps-test
deps-build:
	@.ci/deps build
deps-test:
	@.ci/deps build test
