/* ARP tables that go on: with another router's entries and packets (hot swap), or with what an earlier runtime left in the
 * shared state.
 */
#ifndef CLICKBPF_ETHERNET_ARPINHERIT_H
#define CLICKBPF_ETHERNET_ARPINHERIT_H

#include "ethernet/arpentry.h"

/* Become what another router's table is: its entries, as many as there is room for, with the packets that wait for them. `from` keeps
 * its entries, without packets.
 */
void arp_take(struct arp_table *t, struct arp_table *from, __s64 time);
/* Find the entries again that are in the shared state: by address, by age. `used` has room for t->capacity of them, and is the
 * caller's. For arp_open().
 */
void arp_adopt(struct arp_table *t, struct arp_entry **used);

#endif
