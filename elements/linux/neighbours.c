/* Follows Linux's neighbours on a device (neighbours.h). */
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include "linux/attributes.h"
#include "neighbourstructures.h"
#include "linux/neighbours.h"

#define SLOTS (NEIGHBOUR_SLOTS << NEIGHBOUR_BITS)
#define BATCH 1024	/* datagrams to read at a time, while packets wait */
#define KNOWN (NUD_PERMANENT | NUD_NOARP | NUD_REACHABLE | NUD_PROBE | NUD_STALE | NUD_DELAY)
#define MAPPED (0xffffull << 32)	/* the middle of an IPv4-mapped address, before swapping bytes */

static void write_word(struct neighbour *slot, __u64 word)
{
	__atomic_store_n(&slot->word, word, __ATOMIC_SEQ_CST);
}

/* The slot of an address or, with `make`, a free slot for it; NULL if there is none. */
static struct neighbour *find(const struct neighbours *n, __u64 high, __u64 low, bool make)
{
	struct neighbour *bucket = n->slot + neighbour_bucket(n->vars->secret, low) * NEIGHBOUR_SLOTS, *room = NULL;

	for (int i = 0; i < NEIGHBOUR_SLOTS; i++) {
		if (bucket[i].word && bucket[i].high == high && bucket[i].low == low)
			return &bucket[i];
		if (!bucket[i].word && !room)
			room = &bucket[i];
	}
	return make ? room : NULL;
}

static void forget(struct neighbours *n, struct neighbour *slot)
{
	write_word(slot, 0);
	n->vars->known--;
}

static void learn(struct neighbours *n, __u64 high, __u64 low, const __u8 *ether, bool stale)
{
	struct neighbour *slot = find(n, high, low, true);
	__u64 link = 0;

	memcpy(&link, ether, ETH_ALEN);
	if (!slot) {
		if (!n->is_told)
			n->tell("there is no room for all neighbours: packets to some go to Linux");
		n->is_told = true;
		return;
	}
	n->is_watching |= stale;
	slot->round = n->vars->round;
	if (slot->stale != stale)
		slot->used = 0;
	slot->stale = stale;
	if (slot->word << 16 == link << 16 && slot->word)
		return;
	n->vars->known += !slot->word;
	n->number = n->number == 0xffff ? 1 : n->number + 1;
	write_word(slot, 0);
	slot->high = high;
	slot->low = low;
	write_word(slot, link | (__u64)n->number << 48);
}

static bool address_of(const struct ndmsg *message, const struct nlattr *to, __u64 *high, __u64 *low)
{
	const __u8 *address = to ? mnl_attr_get_payload(to) : NULL;
	__u32 short_one;

	if (address && message->ndm_family == AF_INET) {
		memcpy(&short_one, address, sizeof(short_one));
		*high = 0;
		*low = MAPPED | short_one;
		return true;
	}
	if (!address || message->ndm_family != AF_INET6)
		return false;
	memcpy(high, address, sizeof(*high));
	memcpy(low, address + 8, sizeof(*low));
	return true;
}

static void take_neighbour(struct neighbours *n, const struct nlmsghdr *header)
{
	const struct ndmsg *message = mnl_nlmsg_get_payload(header);
	struct attributes found = { 0 };
	struct neighbour *slot;
	const struct nlattr *link;
	__u64 high, low;

	mnl_attr_parse(header, sizeof(*message), attributes_note, &found);
	link = found.of[NDA_LLADDR];
	if ((__u32)message->ndm_ifindex != n->index || message->ndm_flags & NTF_PROXY || !address_of(message, found.of[NDA_DST], &high, &low))
		return;
	if (header->nlmsg_type == RTM_NEWNEIGH && message->ndm_state & KNOWN && link && mnl_attr_get_payload_len(link) == ETH_ALEN) {
		learn(n, high, low, mnl_attr_get_payload(link), message->ndm_state & NUD_STALE);
		return;
	}
	slot = find(n, high, low, false);
	if (slot)
		forget(n, slot);
}

static void take_link(struct neighbours *n, const struct nlmsghdr *header)
{
	const struct ifinfomsg *message = mnl_nlmsg_get_payload(header);
	struct attributes found = { 0 };
	__u64 ether = 0;

	mnl_attr_parse(header, sizeof(*message), attributes_note, &found);
	if ((__u32)message->ifi_index != n->index || !found.of[IFLA_ADDRESS] || mnl_attr_get_payload_len(found.of[IFLA_ADDRESS]) != ETH_ALEN)
		return;
	memcpy(&ether, mnl_attr_get_payload(found.of[IFLA_ADDRESS]), ETH_ALEN);
	__atomic_store_n(&n->vars->ether, ether, __ATOMIC_RELAXED);
}

static void ask_for(struct neighbours *n, int what)
{
	struct {
		struct nlmsghdr header;
		struct ifinfomsg message;	/* longer than a neighbour's message, and zero except for the type */
	} question = { .header = { sizeof(question), what, NLM_F_REQUEST | NLM_F_DUMP, ++n->sequence, 0 } };

	n->asking = what;
	if (send(n->dumps, &question, sizeof(question), 0) < 0)
		n->asking = 0;
}

void neighbours_ask(struct neighbours *n)
{
	n->is_lost = false;
	n->vars->round++;
	ask_for(n, RTM_GETLINK);
}

static void answered(struct neighbours *n)
{
	if (n->asking == RTM_GETLINK) {
		ask_for(n, RTM_GETNEIGH);
		return;
	}
	n->asking = 0;
	for (__u32 i = 0; i < SLOTS; i++)
		if (n->slot[i].word && n->slot[i].round != n->vars->round)
			forget(n, &n->slot[i]);
}

static void read_message(struct neighbours *n, const struct nlmsghdr *header)
{
	if (n->asking && header->nlmsg_seq != n->sequence)
		return;
	n->is_lost |= n->asking && header->nlmsg_flags & NLM_F_DUMP_INTR;
	switch (header->nlmsg_type) {
	case RTM_NEWNEIGH:
	case RTM_DELNEIGH:
		take_neighbour(n, header);
		break;
	case RTM_NEWLINK:
		take_link(n, header);
		break;
	case NLMSG_DONE:
	case NLMSG_ERROR:
		if (n->asking)
			answered(n);
	}
}

void neighbours_read(struct neighbours *n)
{
	static const __u32 size = 1 << 16;
	char *buffer = malloc(size);
	const bool asking = n->asking;

	for (int i = 0; buffer && i < BATCH && asking == !!n->asking; i++) {
		int length = recv(asking ? n->dumps : n->events, buffer, size, MSG_DONTWAIT);
		const struct nlmsghdr *header = (const struct nlmsghdr *)buffer;

		if (length < 0 && errno == ENOBUFS)
			n->is_lost = true;
		else if (length <= 0)
			break;
		for (; length > 0 && mnl_nlmsg_ok(header, length); header = mnl_nlmsg_next(header, &length))
			read_message(n, header);
	}
	free(buffer);
	if (n->is_lost && !n->asking)
		neighbours_ask(n);
}

static void use(struct neighbours *n, const struct neighbour *slot)
{
	const bool is_short = !slot->high && slot->low >> 32 == MAPPED >> 32;
	char buffer[128] = { 0 };
	struct nlmsghdr *header = mnl_nlmsg_put_header(buffer);
	struct ndmsg *message;

	header->nlmsg_type = RTM_NEWNEIGH;
	header->nlmsg_flags = NLM_F_REQUEST;
	message = mnl_nlmsg_put_extra_header(header, sizeof(*message));
	message->ndm_family = is_short ? AF_INET : AF_INET6;
	message->ndm_ifindex = n->index;
	message->ndm_flags = NTF_USE;
	mnl_attr_put(header, NDA_DST, is_short ? 4 : 16, is_short ? (const void *)&slot->low : &slot->high);
	send(n->events, buffer, header->nlmsg_len, 0);
}

bool neighbours_use(struct neighbours *n)
{
	bool more = false;

	for (__u32 i = 0; n->is_watching && i < SLOTS; i++) {
		struct neighbour *slot = &n->slot[i];

		more |= slot->word && slot->stale;
		if (slot->word && slot->stale && slot->used) {
			slot->used = 0;
			use(n, slot);
		}
	}
	return n->is_watching = more;
}
