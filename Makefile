# SPDX-License-Identifier: GPL-2.0-or-later
# Targets with their help text, and the kernel's build. Plain `make` builds the ISO.

# ---- what may be said on the command line ---------------------------------------------------

# A text as one word of the shell, whatever is in it.
quote = '$(subst ','\'',$(1))'

# Variables of the command line that nothing here reads would be ignored in silence. (A make that
# runs inside of another one is given the other's variables too.)
VARIABLES := BUILD CC OBJCOPY LD NM PYTHON V VERSION SOURCE_DATE_EPOCH \
             PROFILE BOARD VARIATION TEST ARGS FIRMWARE MEDIUM SMP ACCEL QEMU MATRIX \
             MUTANTS SUITE NAME CLAIM F CLIENTS KUT_SRC ONLY PREFIX DESTDIR
GIVEN := $(foreach name,$(.VARIABLES),$(if $(findstring command line,$(origin $(name))),$(name)))
UNKNOWN := $(filter-out $(VARIABLES) MAKEFLAGS GNUMAKEFLAGS SHELL,$(GIVEN))
ifeq ($(MAKELEVEL),0)
ifneq ($(UNKNOWN),)
$(error $(shell tools/unknown-variable $(foreach name,$(UNKNOWN),$(call quote,$(name))) \
    -- $(VARIABLES)))
endif
endif

BUILD ?= build
ifeq ($(origin CC),default)
CC := gcc
endif
OBJCOPY ?= objcopy
LD      ?= ld
NM      ?= nm
PYTHON  := /usr/bin/python3
MAKEFLAGS += --no-print-directory

# The commit's date stands in every file made, so that the same commit gives the same bytes.
ifndef SOURCE_DATE_EPOCH
SOURCE_DATE_EPOCH := $(shell tools/version --date)
endif
ifndef VERSION
VERSION := $(shell tools/version)
endif
export SOURCE_DATE_EPOCH

# Names of targets can hold no blanks and little else: a folder that is called so is built in
# through a link.
ifeq ($(strip $(BUILD)),)
$(error BUILD= names no folder)
endif
ifneq ($(BUILD),build)
ODD := $(shell printf %s $(call quote,$(BUILD)) | LC_ALL=C tr -d 'A-Za-z0-9_./+-' | od -An -tx1)
endif
LINK := build/named/$(if $(ODD),$(firstword $(shell printf %s $(call quote,$(BUILD)) | cksum)))
B := $(if $(ODD),$(LINK),$(BUILD))

.DEFAULT_GOAL := iso

# ---- the kernel -----------------------------------------------------------------------------

SOURCES := $(sort $(wildcard boot/*.[cS] arch/*/*.[cS] arch/*/*/*.[cS] kernel/*.[cS] \
                             kernel/*/*.[cS] kernel/*/*/*.[cS] tests/*/*.[cS] \
                             $(patsubst %,tests/%/*/*.[cS],spec suites workloads)))
OBJECTS := $(patsubst %,$(B)/obj/%.o,$(SOURCES))

# No SSE and no red zone: interrupts come at any instruction. No jump tables: an indirect branch
# that the source does not show would be a record in the trace. A stack has room for six of the
# largest frames (arch/cpu/memory/stacks.h).
CFLAGS := -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wframe-larger-than=10240 \
          -ffreestanding -nostdlib -nostdinc \
          -isystem $(shell $(CC) -print-file-name=include 2>/dev/null) \
          -m64 -mno-red-zone -mgeneral-regs-only -mcmodel=kernel -fno-pic -fno-pie \
          -fno-stack-protector -fcf-protection=none -fno-jump-tables -fno-omit-frame-pointer \
          -fno-asynchronous-unwind-tables -fno-common -I. \
          -ffile-prefix-map=$(call quote,$(CURDIR))=.
LDFLAGS := -nostdlib -static -z noexecstack -z max-page-size=4096 --build-id=none -T linker.ld

# Only the files that print the version are built again when it changes.
VERSIONED := $(shell grep -ls BTSCHECK_VERSION $(SOURCES))

$(B)/obj/%.o: % $(B)/flags Makefile
	@mkdir -p $(@D)
	$(if $(V),,@echo "  CC    $<"; )$(CC) $(CFLAGS) \
	    $(if $(filter $<,$(VERSIONED)),-DBTSCHECK_VERSION='"$(VERSION)"') -MMD -MP -c -o $@ $<

$(patsubst %,$(B)/obj/%.o,$(VERSIONED)): $(B)/version
$(B)/obj/kernel/claim_table.S.o: tools/claims.toml

# Stamps, touched only when their text changes.
define stamp
@mkdir -p $(@D)
@printf '%s\n' $(call quote,$(1)) | cmp -s - $@ || printf '%s\n' $(call quote,$(1)) >$@
endef
$(B)/flags: FORCE
	$(call stamp,$(CC) $(CFLAGS) | $(LD) $(LDFLAGS) | $(SOURCES))
$(B)/version: FORCE
	$(call stamp,$(VERSION) $(SOURCE_DATE_EPOCH))
FORCE:

# Addresses to names: link with an empty table, make the table, link again; the table's own size moves
# the addresses behind it, and in the empty one its labels share one address. Four rounds settle
# it, and the end is checked: the table in the kernel is the table of that kernel.
link = $(LD) $(LDFLAGS) -o $@ $(OBJECTS) $(1)
SYMBOLS := $(or $(wildcard tools/symbols),true)
$(B)/symbols0.S: $(wildcard tools/symbols)
	@mkdir -p $(@D)
	@$(SYMBOLS) </dev/null >$@
$(B)/symbols%.o: $(B)/symbols%.S
	@$(CC) $(CFLAGS) -c -o $@ $<
$(B)/pass%.elf: $(B)/symbols%.o $(OBJECTS) linker.ld
	@$(call link,$<)
$(B)/symbols1.S: $(B)/pass0.elf
	@$(NM) -n $< | $(SYMBOLS) >$@
$(B)/symbols2.S: $(B)/pass1.elf
	@$(NM) -n $< | $(SYMBOLS) >$@
$(B)/symbols3.S: $(B)/pass2.elf
	@$(NM) -n $< | $(SYMBOLS) >$@
$(B)/symbols4.S: $(B)/pass3.elf
	@$(NM) -n $< | $(SYMBOLS) >$@
$(B)/btscheck.elf: $(B)/symbols4.o $(OBJECTS) linker.ld
	@echo "  LD    $@"
	@$(call link,$<)
	@$(NM) -n $@ | $(SYMBOLS) | cmp - $(B)/symbols4.S

$(B)/btscheck.iso: $(B)/btscheck.elf $(B)/version $(wildcard iso/*)
	@echo "  ISO   $@"
	@iso/build $< $@

# For any server that boards start from: docs/network.md.
$(B)/netboot/grub.cfg: $(B)/btscheck.elf $(B)/version $(wildcard iso/*)
	@echo "  NET   $(@D)"
	@iso/netboot $< $(@D)

-include $(patsubst %,$(B)/obj/%.d,$(SOURCES))
.SECONDARY:
.DELETE_ON_ERROR:

# ---- what people type -----------------------------------------------------------------------

PROFILE  ?= skylake
BOARD    ?= plain
FIRMWARE ?= bios
SMP      ?= 2
ACCEL    ?= tcg
MEDIUM   ?= cd
PREFIX   ?= /usr/local
option = $(if $($(2)),$(1)=$(call quote,$($(2))))
# For the line that repeats a run: what it was built with, where that is not the usual.
BUILT_WITH := $(foreach name,CC OBJCOPY LD NM BUILD,$(if $(filter-out default file,\
                  $(origin $(name))),--make=$(call quote,$(name)=$($(name)))))
LAB_OPTIONS = --iso=$(call quote,$(BUILD)/btscheck.iso) --make= $(BUILT_WITH) \
    --profile=$(call quote,$(PROFILE)) --board=$(call quote,$(BOARD)) --firmware=$(call quote,$(FIRMWARE)) \
    --medium=$(call quote,$(MEDIUM)) --smp=$(call quote,$(SMP)) \
    --accelerator=$(call quote,$(ACCEL)) $(call option,--variation,VARIATION) \
    $(call option,--qemu,QEMU) $(call option,--test,TEST) $(call option,--args,ARGS)

.PHONY: help setup python run debug iso netboot install uninstall emulator profiles boards test test-all faults variations matrix mutants coverage clients \
        lint format new-test asm man release release-check clean clean-all FORCE

help: ## this list
	@sed -nE 's/^([a-z_.-]+):.*## /\1\t/p' Makefile | expand -t 24
	@echo
	@echo 'Variables of run and debug (default first):'
	@echo '  PROFILE=skylake      the processor, see make profiles'
	@echo '  BOARD=plain          what stands around it, see make boards'
	@echo '  VARIATION=           more -cpu properties, x-ds-wrap=eager,...'
	@echo '  TEST=                GLOB,GLOB: only these tests'
	@echo '  ARGS=                the command line of the kernel: repeat=3 seed=7 timeout=20 list'
	@echo '  FIRMWARE=bios|uefi   MEDIUM=cd|usb   SMP=2   ACCEL=tcg|kvm'
	@echo '  QEMU=                another emulator, for example qemu-system-x86_64'
	@echo 'Variables of lists: ONLY=GLOB,GLOB (by name or claim)  V=1 (whole lines on a terminal)'
	@echo 'Variable of matrix: MATRIX="--only GLOB --neighbours --wild N --pairs N --seed N --jobs N --fresh --everywhere"'
	@echo 'Variable of mutants: MUTANTS="--sample N --seed N --only FILE --jobs N --fresh --list"'
	@echo 'Variables of clients: KUT_SRC=folder of kvm-unit-tests  CLIENTS="--only linux|kut --profile NAME --test NAME --seconds N --jobs N"'
	@echo 'Variables of the build: CC=gcc|clang  BUILD=build  V=1 (show commands, and the log as it comes)'

# A build and a run need less than what checks btscheck itself.
CHECKS := matrix mutants coverage lint format test
PART := $(or $(if $(filter setup test-all,$(MAKECMDGOALS)),lab),$(if $(filter $(CHECKS),$(MAKECMDGOALS)),test),\
            $(filter debug,$(MAKECMDGOALS)),run)
setup: ## install the packages that are missing, or print the line to run
	@tools/setup $(PART)

# One build at a time in a build folder, whoever asks.
define build
@mkdir -p $(call quote,$(BUILD)) $(if $(ODD),build/named)
@$(if $(ODD),[ $(B) -ef $(call quote,$(BUILD)) ] || \
    ln -sfn "$$(realpath $(call quote,$(BUILD)))" $(B))
@flock $(B)/lock $(MAKE) -j2 $(B)/$(1)
endef

iso: setup ## build the kernel and the image build/btscheck.iso (the default)
	$(call build,btscheck.iso)

netboot: setup ## build the folder build/netboot for a TFTP or HTTP server
	$(call build,netboot/grub.cfg)

emulator: setup ## build QEMU with the Debug Store into build/emulator (minutes, once)
	@tools/emulator/build

# Lists need Python alone.
python:
	@tools/setup module=tomllib

LIST_OPTIONS = $(call option,--only,ONLY) $(if $(V),--whole)

profiles: python ## list the emulated processors
	@tools/emulator/list profiles $(LIST_OPTIONS)

boards: python ## list the boards that they can stand on
	@tools/emulator/list boards $(LIST_OPTIONS)

run: iso ## boot it, show a line a suite and what fails (V=1: the whole log), judge it
	@tools/lab/run $(LAB_OPTIONS) $(if $(V),--view=log)

debug: iso ## boot it stopped at kernel_main, in gdb with symbols
	@tools/lab/run --debug=$(call quote,$(BUILD)/btscheck.elf) $(LAB_OPTIONS)

# Status 3: no QEMU source to be had; the tests that need the emulator then say so and skip.
test: iso ## what a change can break: unit tests, whole boots, drawn faults, lint (minutes)
	@tools/emulator/build || [ $$? -eq 3 ]
	@$(PYTHON) -m pytest tests/host --quick

test-all: iso ## everything that checks btscheck itself (an hour): for nights, and before a tag
	@tools/emulator/build || [ $$? -eq 3 ]
	@$(PYTHON) -m pytest tests/host

faults: python ## list the faults that the emulator can have
	@tools/emulator/list faults $(LIST_OPTIONS)

variations: python ## list what the manual leaves open and the emulator can choose
	@tools/emulator/list variations $(LIST_OPTIONS)

matrix: iso emulator ## every fault must be caught, no healthy processor may fail (minutes)
	@tools/matrix --elf $(B)/btscheck.elf --iso $(B)/btscheck.iso $(MATRIX)

mutants: iso ## how many processors with one small change, made by machine, fail (hours; samples)
	@tools/mutants --elf $(B)/btscheck.elf --iso $(B)/btscheck.iso $(MUTANTS)

clients: emulator ## Linux and perf on the emulated silicon; KUT_SRC=folder: kvm-unit-tests (half an hour)
	@tools/clients/run $(call option,--source,KUT_SRC) $(CLIENTS)

coverage: iso ## which tests check which claim, and which faults have proved it
	@tools/coverage --elf=$(call quote,$(BUILD)/btscheck.elf) $(LIST_OPTIONS)

lint: setup ## formats and static checks; a warning is an error
	@tools/lint

format: setup ## put C and Python into the formats that lint asks for
	@tools/lint --format

new-test: ## a test to fill in: SUITE=circular NAME=what_it_says CLAIM=BTS-3
	@tools/new-test $(call quote,$(SUITE)) $(call quote,$(NAME)) $(call quote,$(CLAIM))

asm: iso ## what the compiler made of one source: F=arch/trace/bts.c
	@tools/asm $(call quote,$(B)/obj) $(call quote,$(F))

compile_commands.json: FORCE ## for editors and clang-tidy
	@tools/compile-commands $(call quote,$(CURDIR)) \
	    $(call quote,$(CC) $(CFLAGS) -DBTSCHECK_VERSION=\"\") $(SOURCES) >$@

man: python ## build man pages of the lab's commands and the kernel's options into build/man
	@rm -rf $(call quote,$(BUILD)/man)
	@tools/man $(call quote,$(BUILD)/man)

release: iso ## files to give away: image, kernel, netboot archive, changes, checksums, bill of materials
	@tools/release $(call quote,$(BUILD))

release-check: release emulator ## start each of them
	@tools/release --check $(call quote,$(BUILD))

install: netboot iso man ## the kernel with an entry for GRUB, the lab's commands, man pages: PREFIX=/usr/local DESTDIR=
	@tools/install/into $(call quote,$(BUILD)) $(call quote,$(PREFIX)) $(call quote,$(DESTDIR))

uninstall: ## remove what install put there
	@tools/install/into --remove $(call quote,$(PREFIX)) $(call quote,$(DESTDIR))

clean: ## remove everything that was built, but for what all checkouts share
	rm -rf $(call quote,$(BUILD)) $(if $(ODD),$(B)) compile_commands.json

clean-all: clean ## remove the emulator that all checkouts share, and QEMU's source, too
	@tools/emulator/build --forget
