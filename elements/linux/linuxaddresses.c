/* LinuxAddresses: whenever Linux reports a change of a link or an address, Python reads the device's addresses again. */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>

#define DATAGRAM (1 << 15)
#define BATCH 64	/* datagrams between packets */

/* Take one datagram off the socket; false if there was none. Its content doesn't matter: a device that was deleted and made again has its
 * name, but another number. An overrun is a change as well.
 */
static bool SELF(read)(void)
{
	static char buffer[DATAGRAM] SCRATCH;
	const ssize_t length = recv(private(netlink)->events, buffer, sizeof(buffer), MSG_DONTWAIT);

	return length > 0 || (length < 0 && errno == ENOBUFS);
}

EVENT()
{
	int read = 0;

	while (read < BATCH && SELF(read)())
		read++;
	if (read)
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
