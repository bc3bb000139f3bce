/* Reads Linux's routes and follows their changes. Runtime only.
 *
 * First, dump links, rules and routes. A separate trie is built from the dump, and then merged, cell by cell, into the one in use:
 * so no packet finds a route missing, neither after a restart, nor after messages were lost for lack of buffers (ENOBUFS). From
 * then on, notifications change the trie directly. Notifications during a dump are also kept, and applied to its result, which may
 * be older. Some changes have no notification, for instance when a device goes down or a preferred source address disappears: after
 * events that may cause them, a new dump is requested.
 */
#pragma once

#include "linux/routes.h"

/* Read Linux's settings, of which there is no notification here. Call each second. */
void follow_look(struct routes *r, __s64 time);
/* Timer: begin a dump that is due. */
void follow_ask(struct routes *r, __s64 time);
/* Read some of what the sockets have. */
void follow_read(struct routes *r, __s64 (*clock)(void));
void follow_close(struct routes *r);
