"""A reader of shared state whose writer comes between any two of its instructions.

The kernel path reads without a lock what the runtime changes. Whether it notices a change shows here for every place where one
can fall: the reader runs once for each, step by step, and after so many steps the change is made.
"""

import platform
import subprocess
from pathlib import Path

import pytest

from clickbpf.build.host import HEADERS, drops_header, find_compiler

ONLY_HERE = pytest.mark.skipif(platform.machine() != "x86_64", reason="the processor's single steps are x86-64's")

#: After each instruction SIGTRAP comes. The text after this defines prepare(), change(), and read_it(), which says in a number what it
#: has read.
MACHINERY = """
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#define CONCURRENT 0
#include "element.h"

static volatile unsigned int steps, changes_at;

static void prepare(void);
static void change(void);
static int read_it(void);

static void trap(int number)
{
	(void)number;
	if (++steps == changes_at)
		change();
}

static __attribute__((noinline)) int stepped(void)
{
	int result;

	steps = 0;
	asm volatile("pushfq; orq $0x100, (%%rsp); popfq; nop; nop" ::: "memory", "cc");
	result = read_it();
	asm volatile("pushfq; andq $~0x100, (%%rsp); popfq" ::: "memory", "cc");
	return result;
}

int main(void)
{
	signal(SIGTRAP, trap);
	do {
		prepare();
		changes_at++;
		printf("%d\\n", stepped());
	} while (steps >= changes_at);
	return 0;
}
"""


def readings(text: str, folder: Path) -> list[int]:
    """What read_it() gives, by the instruction before which change() comes, from its first to one after its last."""
    source, program = folder / "steps.c", folder / "steps"
    source.write_text(MACHINERY + text)
    (folder / "drops.h").write_text(drops_header())
    folders = [word for each in (folder, *HEADERS) for word in ("-I", str(each))]
    # Without the red zone: the flags are changed on the stack.
    find_compiler().run(*folders, "-mno-red-zone", "-Wno-unused-function", str(source), "-o", str(program))
    done = subprocess.run([program], capture_output=True, text=True, check=True, timeout=60)
    return [int(line) for line in done.stdout.split()]
