/* Asks Linux for its routes, and hears of changes. Runtime only.
 *
 * First everything is asked for: links, rules, routes. A trie is made of the answer aside, and the one that packets use is made equal to it,
 * cell by cell: no packet meets a hole, neither after a restart, nor when Linux has lost messages because they came too fast (ENOBUFS).
 * From then on each message changes what it is about, also while everything is asked for again: those messages are kept, and change what the
 * answer has, too, because it may be older than they are. What Linux does without saying so, as when a device goes down or an address goes
 * that routes name as their source, is found by asking for everything again, soon after whatever may cause it.
 */
#pragma once

#include "linux/routes.h"

/* By which fields Linux tells flows apart, of which no message tells: due each second. */
void follow_look(struct routes *r, __s64 time);
/* The timer of what is due: begin to ask. */
void follow_ask(struct routes *r, __s64 time);
/* A socket has something; some of it is read. */
void follow_read(struct routes *r, __s64 (*clock)(void));
void follow_close(struct routes *r);
