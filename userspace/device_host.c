/* Packet sockets. They pass packets to this machine's own Linux stack: sent on the device with a mark, a TC program at its egress
 * redirects them to its ingress, as if the device had received them. They also serve the wire of devices that AF_XDP can't send by:
 * drivers of L3 devices need skb->protocol, which AF_XDP doesn't set, and another router may hold the sockets of a device's queues.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/if_packet.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include "runtime.h"

struct host_output {
	struct device_output output;
	int socket, ifindex;
	bool l3;
};

static int host_send(struct device_output *output, struct pkt *p)
{
	const struct host_output *host = container_of(output, struct host_output, output);
	const struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_ifindex = host->ifindex,
		.sll_protocol = host->l3 ? packet_protocol(p) : 0,
	};

	if (sendto(host->socket, p->data, pkt_len(p), MSG_DONTWAIT, (const struct sockaddr *)&to, sizeof(to)) < 0)
		return errno == ENOBUFS || errno == EWOULDBLOCK ? DEVICE_BUSY : -errno;
	pkt_free(p);
	return 0;
}

static void host_destroy(struct device_output *output)
{
	struct host_output *host = container_of(output, struct host_output, output);

	close(host->socket);
	free(host);
}

static const struct output_ops host_ops = {
	.send = host_send,
	.destroy = host_destroy,
};

/* Protocol 0: the socket sends only. Packets for the `wire` bypass the qdisc and the programs at the device's egress, as AF_XDP's
 * do; those for the other sides need such a program.
 */
static int host_open(int ifindex, __u32 mark, int wire)
{
	const struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_ifindex = ifindex};
	int error, fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	if (setsockopt(fd, SOL_SOCKET, SO_MARK, &mark, sizeof(mark)) ||
	    (wire && setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &wire, sizeof(wire))) ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address))) {
		error = -errno;
		close(fd);
		return error;
	}
	return fd;
}

int runtime_add_host(struct runtime *runtime, __u32 device, enum device_side side, int ifindex, __u32 mark)
{
	struct host_output *host = calloc(1, sizeof(*host));
	int error;

	if (!host)
		return -ENOMEM;
	host->output.ops = &host_ops;
	host->ifindex = ifindex;
	host->l3 = runtime->device[device].l3;
	host->socket = host_open(ifindex, mark, side == SIDE_WIRE);
	error = host->socket < 0 ? host->socket : device_set_output(runtime, device, side, &host->output);
	if (error) {
		if (host->socket >= 0)
			close(host->socket);
		free(host);
	}
	return error;
}
