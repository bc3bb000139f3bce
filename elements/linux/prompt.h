/* Threads that follow Linux run soon after it has told them something. Runtime only.
 *
 * Until then packets go where they did: to an Ethernet address that isn't there any more, or a way that has ended. On a busy machine a
 * thread that wakes waits for a CPU, for some time slices of the others, which are of 3 ms and more. From Linux 6.12 on, one that asks for
 * a short slice has its turn first, and as much of the CPU as before (EEVDF).
 */
#pragma once

/* Ask for that, for the calling thread, unless it has other than Linux's usual scheduling. */
void prompt(void);
