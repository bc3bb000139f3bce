"""Programs that run another one many times on the packet of a test run, and undo before each time what the last one has changed.

So a test run can be as long as it takes until caches and branch predictors know the way, where the TTL would end it after 254 packets,
of which the first cost as much as the others together; and the nanoseconds of a packet have fractions.
"""

from __future__ import annotations

import struct

#: How often: twice where each packet takes half of the tail calls that the kernel permits.
TIMES, TIMES_IN_CHAINS = 16, 2
#: Both functions get the context, which the verifier wants, also of one that doesn't look at it.
PROGRAM = """
SEC("xdp")
int {name}(struct xdp_md *ctx)
{{
	int verdict = XDP_DROP;

	for (int i = 0; i < {times}; i++) {{
		char *data = (void *)(long)ctx->data, *end = (void *)(long)ctx->data_end;

		if (data + 34 > end)
			return XDP_ABORTED;
{restored}{before}		asm volatile("" ::: "memory");
		{run}
	}}
	return verdict;
}}
"""
#: What a router writes to, in words as wide as those that are read after: the Ethernet header, and the word of the TTL and the checksum,
#: or that of the hop limit.
ETHERNET, WORD = ((6, "Q"), (0, "Q")), {b"\x08\x00": (22, "I"), b"\x86\xdd": (18, "I")}
TYPES = {"I": "__u32", "Q": "__u64"}


def repeated(text: str, name: str, program: str | None, frame: bytes, times: int, before: str = "") -> str:
    """The C text with one program more, `name`, which runs a copy of `program` on the frame so many times; if that is None, nothing.
    `before` is what else it does before each time, with the bytes from `data` to `end`, both pointers to char.
    """
    run = f"verdict = {name}_copy(ctx);" if program else ""
    made = PROGRAM.format(name=name, times=times, restored=_restored(frame), before=before, run=run)
    return text + (_copy(text, program, f"{name}_copy") if program else "") + made


def _copy(text: str, program: str, name: str) -> str:
    head, start = f"int {program}(struct ", '{\n\tasm volatile("" ::"r"(ctx));'
    _, found, rest = text.partition(f'SEC("xdp")\n{head}')
    if not found:
        raise ValueError(f"the text has no program {program}")
    body = rest[: rest.index("\n}\n") + 3]
    return f"\n__attribute__((noinline)) int {name}(struct {body.replace('{', start, 1)}"


def _restored(frame: bytes) -> str:
    words = (*ETHERNET, WORD[frame[12:14]])
    values = ((at, TYPES[word], struct.unpack_from(f"<{word}", frame, at)[0]) for at, word in words)
    return "".join(f"\t\t*(volatile {word} *)(data + {at}) = {value:#x}ull;\n" for at, word, value in values)
