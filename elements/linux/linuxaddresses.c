/* LinuxAddresses: Python looks what an address is when Linux says something of the device. */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#define DATAGRAM (1 << 15)
#define BATCH 64	/* datagrams between packets */

/* Messages about links and about addresses have the device's number at the same place. */
_Static_assert(offsetof(struct ifinfomsg, ifi_index) == offsetof(struct ifaddrmsg, ifa_index), "no one place of the device's number");

/* Read one datagram: whether it is about the device, or messages were lost; -1 if there was none. */
static int SELF(read)(void)
{
	static char buffer[DATAGRAM] __attribute__((aligned(8)));
	int length = recv(private(netlink)->events, buffer, sizeof(buffer), MSG_DONTWAIT);
	bool is_ours = false;

	if (length <= 0)
		return length < 0 && errno == ENOBUFS ? 1 : -1;
	for (struct nlmsghdr *header = (void *)buffer; NLMSG_OK(header, (__u32)length); header = NLMSG_NEXT(header, length))
		is_ours |= (__u32)((struct ifinfomsg *)NLMSG_DATA(header))->ifi_index == private(netlink)->index;
	return is_ours;
}

EVENT()
{
	bool heard = false;

	for (int i = 0, found; i < BATCH && (found = SELF(read)()) >= 0; i++)
		heard |= found;
	if (heard)
		call_python(0);
}

/* The router begins. */
TIMER()
{
	call_python(0);
}

INIT()
{
	if (private(netlink)->events < 0)
		return 0;
	timer_after(1);
	return watch(private(netlink)->events, WATCH_READ);
}
