"""C of the kernel path for a packet filter that libpcap has compiled to classic BPF: each instruction becomes a line of C.

The numbers are those of <linux/filter.h>. A filter that reads beyond the frame's end rejects the packet, as in the kernel.
"""

from collections.abc import Sequence

#: code, jt, jf, k of struct bpf_insn.
Row = tuple[int, int, int, int]

_LD, _LDX, _ST, _STX, _ALU, _JMP, _RET, _MISC = range(8)
_SIZES = {0x00: 4, 0x08: 2, 0x10: 1}
_IMM, _ABS, _IND, _MEM, _LEN, _MSH = 0x00, 0x20, 0x40, 0x60, 0x80, 0xA0
_OPERATORS = {0x00: "+", 0x10: "-", 0x20: "*", 0x30: "/", 0x40: "|", 0x50: "&", 0x60: "<<", 0x70: ">>", 0x90: "%", 0xA0: "^"}
_DIVISIONS, _SHIFTS, _NEGATION = (0x30, 0x90), (0x60, 0x70), 0x80
_TESTS = {0x10: "a == {}", 0x20: "a > {}", 0x30: "a >= {}", 0x40: "a & {}"}
_WORDS = 16
#: A filter that accepts no packet.
_NOTHING: tuple[Row, ...] = ((_RET, 0, 0, 0),)

#: The function that reads from the frame; `frame` and `end` are its caller's variables.
_LOAD = """\
#ifndef HOOK_TC
#define filter_bounds(ctx, first, last) ((first) = (void *)(long)(ctx)->data, (last) = (void *)(long)(ctx)->data_end)
#else
#define filter_bounds frame_bounds
#endif
#ifdef FRAGS
#define filter_reaches(ctx, offset, bytes, size) (!bpf_xdp_load_bytes(ctx, offset, bytes, size))
#else
#define filter_reaches(ctx, offset, bytes, size) false
#endif
static __always_inline bool filter_load(struct CONTEXT *ctx, void *frame, void *end, __u32 offset, __u32 size, __u32 *value)
{
	__u8 beyond[4] = {};

	if (offset > MAX_OFFSET)
		return false;
	asm volatile("" : "+r"(offset));
	offset &= MAX_OFFSET;
	frame += offset;
	asm volatile("" : "+r"(frame));
	if (frame + size > end) {
		if (!filter_reaches(ctx, offset, beyond, size))
			return false;
		frame = beyond;
	}
	*value = size == 4 ? ntohl(word32(frame)) : size == 2 ? ntohs(word16(frame)) : *(const __u8 *)frame;
	return true;
}

"""


def trace_filters(link: Sequence[Row], raw: Sequence[Row] | None) -> str:
    """The functions trace_filter() and trace_filter_l3() of bpf/traced.h."""
    of_l3 = _filter("trace_filter_l3", _NOTHING if raw is None else raw)
    return f"{_LOAD}{_filter('trace_filter', link)}#ifdef HOOK_TC\n{of_l3}#endif\n\n"


def _filter(name: str, rows: Sequence[Row]) -> str:
    lines = "".join(f"L{number}:\n\t{_line(row, number)}\n" for number, row in enumerate(rows))
    words = ", ".join(f"m{number} = 0" for number in range(_WORDS))
    variables = f"\tvoid *frame, *end;\n\t__u32 a = 0, x = 0, {words};\n\n\tfilter_bounds(ctx, frame, end);\n"
    unused = "".join(f"\t(void)m{number};\n" for number in range(_WORDS)) + "\t(void)a;\n\t(void)x;\n\t(void)frame;\n\t(void)end;\n"
    head = f"static __attribute__((noinline)) __u32 {name}(struct CONTEXT *ctx)\n"
    return f"{head}{{\n{variables}{unused}{lines}\treturn {'0' if rows else '1'};\n}}\n\n"


def _line(row: Row, number: int) -> str:
    code, when, otherwise, k = row
    kind = code & 7
    if kind in (_LD, _LDX):
        return _load(code, "a" if kind == _LD else "x", k)
    if kind in (_ST, _STX):
        return f"m{k % _WORDS} = {'a' if kind == _ST else 'x'};"
    operand = "x" if code & 8 else f"{k}u"
    if kind == _ALU:
        return _compute(code & 0xF0, operand)
    if kind == _JMP:
        if not code & 0xF0:
            return f"goto L{number + 1 + k};"
        return f"if ({_TESTS[code & 0xF0].format(operand)})\n\t\tgoto L{number + 1 + when};\n\tgoto L{number + 1 + otherwise};"
    if kind == _RET:
        return "return a;" if code & 0x18 == 0x10 else f"return {k}u;"
    return "a = x;" if code & 0x80 else "x = a;"


def _load(code: int, to: str, k: int) -> str:
    mode, size = code & 0xE0, _SIZES[code & 0x18]
    if mode == _MSH:
        return f"if (!filter_load(ctx, frame, end, {k}u, 1, &x))\n\t\treturn 0;\n\tx = (x & 15) * 4;"
    if mode in (_ABS, _IND):
        offset = f"{k}u" if mode == _ABS else f"x + {k}u"
        return f"if (!filter_load(ctx, frame, end, {offset}, {size}, &{to}))\n\t\treturn 0;"
    value = {_IMM: f"{k}u", _MEM: f"m{k % _WORDS}", _LEN: "frame_size(ctx, end - frame)"}[mode]
    return f"{to} = {value};"


def _compute(operation: int, operand: str) -> str:
    if operation == _NEGATION:
        return "a = -a;"
    guard = f"if (!({operand}))\n\t\treturn 0;\n\t" if operation in _DIVISIONS else ""
    shifted = f"({operand} & 31)" if operation in _SHIFTS else operand
    return f"{guard}a = a {_OPERATORS[operation]} {shifted};"
