/* Flows with different ports; a random one sends the next packet. Included once for each instance. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct SELF(flow) {
	__be16 source, destination;
	__be32 sequence, acknowledgement;
	__u32 count;		/* packets sent since it began */
};

LASTING(struct SELF(flow) *, flows);

/* Replace a flow by a new one. */
static void SELF(renew)(struct SELF(flow) *flow)
{
	__u32 ports = random_u32();

	flow->source = ports;
	flow->destination = ports >> 16;
	flow->sequence = random_u32();
	flow->acknowledgement = random_u32();
	flow->count = 0;
}

static int SELF(prepare)(void)
{
	*SELF(flows) = calloc(cfg.flows, sizeof(**SELF(flows)));
	if (!*SELF(flows))
		return -ENOMEM;
	for (__u32 i = 0; i < cfg.flows; i++)
		SELF(renew)(&(*SELF(flows))[i]);
	return 0;
}

/* A random flow, replaced if it has ended. */
static struct SELF(flow) *SELF(pick)(void)
{
	struct SELF(flow) *flow = &(*SELF(flows))[random_u32() % cfg.flows];

	if (flow->count >= cfg.flowsize)
		SELF(renew)(flow);
	flow->count++;
	return flow;
}

CLEANUP()
{
	free(*SELF(flows));
}
