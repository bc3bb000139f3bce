/* Scheduling of threads that follow Linux's tables: they should run soon after a notification. Runtime only.
 *
 * Until then packets follow the old routes and neighbours. On a busy machine a woken thread waits for several time slices of
 * others, each 3 ms or more. Since Linux 6.12 (EEVDF), a thread that requests a short slice runs earlier, with the same share of
 * the CPU.
 */
#pragma once

/* Request a short slice for the calling thread, unless it has a scheduling policy other than SCHED_OTHER. */
void prompt(void);
