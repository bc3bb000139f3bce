/* FromDevice's packet socket: passes copies to its ELEMENT, of all packets with SNIFFER, otherwise of those that Linux sends.
 * Included once for each instance.
 */
#if USERSPACE
#include <errno.h>
#include <linux/net_tstamp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define SNIFFED_AT_ONCE 32
#define LONGEST_FRAME (1 << 16)

static __u8 SELF(frame)[LONGEST_FRAME] SCRATCH;

ELEMENT(FromDevice);

/* Put back the tag that Linux has removed from the frame, after the addresses (IEEE 802.1Q). */
static bool SELF(put_tag_back)(struct pkt *p, const struct tpacket_auxdata *about)
{
	__u16 type = about->tp_status & TP_STATUS_VLAN_TPID_VALID ? about->tp_vlan_tpid : ETH_P_8021Q;
	__u8 *frame;

	if (!(about->tp_status & TP_STATUS_VLAN_VALID) || pkt_len(p) < ETH_HLEN)
		return true;
	if (!pkt_push(p, 4))
		return false;
	frame = pkt_data(p, 0, 16);
	memmove(frame, frame + 4, 2 * ETH_ALEN);
	word16(frame + 12) = htons(type);
	word16(frame + 14) = htons(about->tp_vlan_tci);
	return true;
}

/* Process the kernel's ancillary data: the packet's time, its tag, and the number of packets lost. */
static bool SELF(take_report)(struct pkt *p, struct msghdr *message)
{
	struct SELF(sniffing) *sniffing = private(sniffing);
	__u32 lost = sniffing->lost;

	for (struct cmsghdr *said = CMSG_FIRSTHDR(message); said; said = CMSG_NXTHDR(message, said)) {
		if (said->cmsg_level == SOL_PACKET && said->cmsg_type == PACKET_AUXDATA) {
			if (!SELF(put_tag_back)(p, (const struct tpacket_auxdata *)CMSG_DATA(said)))
				return false;
		} else if (said->cmsg_level == SOL_SOCKET && said->cmsg_type == SO_TIMESTAMPNS && cfg.timestamp) {
			const struct timespec *time = (const struct timespec *)CMSG_DATA(said);

			p->timestamp = time->tv_sec * 1000000000ull + time->tv_nsec;
		} else if (said->cmsg_level == SOL_SOCKET && said->cmsg_type == SO_RXQ_OVFL) {
			memcpy(&lost, CMSG_DATA(said), sizeof(lost));
		}
	}
	lose(lost - sniffing->lost, OVERRUN);
	sniffing->lost = lost;
	return true;
}

/* Receive the next packet; false if there is none. */
static bool SELF(sniff)(void)
{
	char reports[256] __attribute__((aligned(8)));
	struct sockaddr_ll from = {0};
	struct iovec bytes = {SELF(frame), sizeof(SELF(frame))};
	struct msghdr message = {.msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &bytes, .msg_iovlen = 1,
				 .msg_control = reports, .msg_controllen = sizeof(reports)};
	/* With MSG_TRUNC, the result is the frame's length even beyond LONGEST_FRAME. */
	ssize_t length = recvmsg(private(sniffing)->fd, &message, MSG_TRUNC), kept = length < LONGEST_FRAME ? length : LONGEST_FRAME;
	struct pkt *p;

	if (length < 0) {
		if (errno != EAGAIN && errno != EINTR)
			fprintf(stderr, "%s: %s\n", SELF(name), strerror(errno));
		return errno == EINTR;
	}
	if ((cfg.protocol && from.sll_protocol != htons(cfg.protocol)) || (!cfg.sniffer && from.sll_pkttype != PACKET_OUTGOING))
		return true;
	p = pkt_copy_in(SELF(frame), kept);
	if (!p) {
		lose(1, NO_MEMORY);
		return true;
	}
	p->device = self_device();
	pkt_set_type(p, from.sll_pkttype);
	pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, length - kept);
	if (!SELF(take_report)(p, &message)) {
		discard(p, NO_MEMORY);
		return true;
	}
	if (device_is_l3(self_device()))
		pkt_set_network_header(p, 0);
	else
		pkt_set_mac_header(p, 0);
	emit(p, SELF(action)(p, 0));
	return true;
}

EVENT()
{
	for (int i = 0; i < SNIFFED_AT_ONCE && SELF(sniff)(); i++)
		;
}

INIT()
{
	return private(sniffing)->fd < 0 ? 0 : watch(private(sniffing)->fd, WATCH_READ);
}
#undef SNIFFED_AT_ONCE
#undef LONGEST_FRAME
#endif
