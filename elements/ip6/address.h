/* The current address, one half of a Vars field that handlers change (_code.py). */
#pragma once

#define ip6_var(vars, name) ((const __u8 *)(vars)->name + 16 * (read_once((vars)->name##_half) & 1))
