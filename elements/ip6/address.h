/* The address in use, one half of a Vars that handlers change (see _code.py): `name` is the state. */
#pragma once

#define ip6_var(vars, name) ((const __u8 *)(vars)->name + 16 * (read_once((vars)->name##_half) & 1))
