/* Basic definitions for every file of the runtime, and for the emitted router. The macros are those of element.h, which can't
 * be included here: its short names (at, count, pull) are for element code alone.
 */
#pragma once

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include "annotations.h"

#ifndef __always_inline
#define __always_inline inline __attribute__((__always_inline__))
#endif
#ifndef likely
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#endif

#define CACHE_LINE 64

/* Marks what a router or the host may call; everything else stays inside the library. */
#define EXPORT __attribute__((visibility("default")))

#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))

#if defined(__SANITIZE_ADDRESS__)
#define ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ADDRESS_SANITIZER 1
#endif
#endif
#ifndef ADDRESS_SANITIZER
#define ADDRESS_SANITIZER 0
#endif
