/* Gratuitous ARP replies. Runtime only. */
#pragma once

#include "ethernet/arp.h"

/* A frame that informs the host `target`, `target_ip` that `sender_ip` has the address `sender`; NULL when out of memory. */
struct pkt *arp_unasked(const __u8 *target, __be32 target_ip, const __u8 *sender, __be32 sender_ip);
