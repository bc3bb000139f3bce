/* ARP tables that inherit: another router's entries and packets (hot swap), or the entries that an earlier runtime left in the
 * shared state.
 */
#pragma once

#include "ethernet/arpentry.h"

/* Copy another router's entries, as far as there is room, and take over the packets waiting for them. `from` keeps its entries,
 * without packets.
 */
void arp_take(struct arp_table *t, struct arp_table *from, __s64 time);
/* Rebuild the hash and the list by age for the entries in the shared state. `used` is scratch memory for t->capacity pointers. For
 * arp_open().
 */
void arp_adopt(struct arp_table *t, struct arp_entry **used);
