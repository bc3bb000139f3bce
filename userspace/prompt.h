/* Short time slices for the runtime's threads: on a CPU that they share, they should run soon after they are woken.
 *
 * A woken thread waits for time slices of others, each 3 ms or more. Meanwhile a receiver on the same CPU uses up the places of a
 * round (handover.h), and everything after that is dropped; and packets follow old routes and neighbours. Since Linux 6.12 (EEVDF), a
 * thread that requests a short slice runs earlier, with the same share of the CPU.
 */
#pragma once

/* Request a short slice for the calling thread, unless it has a scheduling policy other than SCHED_OTHER. */
void prompt(void);
