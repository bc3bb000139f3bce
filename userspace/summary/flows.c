/* Flows by their aggregates, and their files. */
#include "summary/flow.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/ip.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "annotations.h"
#include "stream.h"
#include "table.h"

#define BUFFERED 16384		/* the most bytes to buffer for a flow */
#define BUFFERED_ALL (64u << 20)	/* the same for all flows: beyond it, each packet is written at once */
#define FLOWS_MOST (1u << 20)	/* at a time */
#define ICMP_ERROR 2		/* PAINT of one */

struct flow_entry {
	__u64 aggregate;
	struct flow *flow;
};

struct flow_dumps {
	const struct flow_layout *layout;
	struct table table;
	__u64 buffered;			/* bytes */
};

/* -- which flow ----------------------------------------------------------------------------------------------------- */

static struct flow *find(struct flow_dumps *dumps, struct pkt *p, __u32 aggregate)
{
	struct flow_entry *entry = aggregate ? table_get(&dumps->table, aggregate) : NULL;

	if (!entry)
		return NULL;
	if (!entry->flow)
		entry->flow = flow_begin(dumps->layout, p, aggregate);
	if (!entry->flow) {
		table_remove(&dumps->table, aggregate);
		return NULL;
	}
	return entry->flow;
}

/* -- files ---------------------------------------------------------------------------------------------------------- */

/* Make the directories in a file's name. */
static void make_folders(char *name)
{
	for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(name, 0777);
		*slash = '/';
	}
}

static bool is_stdout(const struct flow *flow)
{
	return flow->name.length && !strcmp(flow->name.bytes, "-");
}

static FILE *open_file(const struct flow_layout *layout, struct flow *flow)
{
	int flags = O_WRONLY | O_CLOEXEC | (flow->begun ? O_APPEND : O_CREAT | O_TRUNC), fd;

	if (is_stdout(flow)) {
		fd = dup(STDOUT_FILENO);
		return fd < 0 ? NULL : stream_write(fd, STREAM_PLAIN);
	}
	if (!flow->begun)
		make_folders(flow->name.bytes);
	fd = open(flow->name.bytes, flags, 0666);
	return fd < 0 ? NULL : stream_write(fd, layout->format);
}

/* Write a flow's buffered text, and free its memory. */
static void flush(struct flow_dumps *dumps, struct flow *flow)
{
	const struct flow_layout *layout = dumps->layout;
	struct text head = {0};
	FILE *file = flow->name.length ? open_file(layout, flow) : NULL;
	bool failed = !file;

	if (!flow->begun)
		flow_add_head(layout, flow, &head);
	if (file) {
		fwrite(head.bytes, 1, head.length, file);
		fwrite(flow->text.bytes, 1, flow->text.length, file);
		failed = ferror(file);
		failed |= fclose(file) != 0;
	}
	if (failed)
		fprintf(stderr, "%s: %s\n", flow->name.length ? flow->name.bytes : "ToIPFlowDumps", strerror(errno));
	flow->begun = true;
	text_free(&head);
	dumps->buffered -= flow->text.length;
	text_free(&flow->text);
}

static void end(struct flow_dumps *dumps, struct flow *flow)
{
	if (flow->packets >= dumps->layout->least)
		flush(dumps, flow);
	else if (flow->begun && !is_stdout(flow))
		unlink(flow->name.bytes);
	dumps->buffered -= flow->text.length;
	text_free(&flow->name);
	text_free(&flow->text);
	free(flow);
}

/* -- from outside --------------------------------------------------------------------------------------------------- */

struct flow_dumps *flow_dumps_new(const struct flow_layout *layout)
{
	struct flow_dumps *dumps = calloc(1, sizeof(*dumps));

	if (dumps) {
		dumps->layout = layout;
		dumps->table.entry = sizeof(struct flow_entry);
		dumps->table.most = FLOWS_MOST;
	}
	return dumps;
}

bool flow_dumps_add(struct flow_dumps *dumps, struct pkt *p)
{
	struct flow *flow = find(dumps, p, pkt_anno_u32(p, AGGREGATE_ANNO));
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	__u8 paint = pkt_anno_u8(p, PAINT_ANNO);
	size_t before;

	if (!flow || !ip || (paint < ICMP_ERROR && ip->protocol != flow->protocol))
		return false;
	before = flow->text.length;
	if (paint >= ICMP_ERROR)
		flow_add_error(dumps->layout, flow, p, paint & 1);
	else
		flow_add_packet(dumps->layout, flow, p, paint);
	flow->packets++;
	dumps->buffered += flow->text.length - before;
	if (flow->text.length >= BUFFERED || dumps->buffered > BUFFERED_ALL)
		flush(dumps, flow);
	return true;
}

void flow_dumps_end(struct flow_dumps *dumps, __u32 aggregate)
{
	const struct flow_entry *entry = table_find(&dumps->table, aggregate);

	if (!entry)
		return;
	end(dumps, entry->flow);
	table_remove(&dumps->table, aggregate);
}

void flow_dumps_end_all(struct flow_dumps *dumps)
{
	for (__u32 i = 0; i < dumps->table.count; i++)
		end(dumps, ((const struct flow_entry *)table_entry(&dumps->table, i))->flow);
	table_clear(&dumps->table);
}

void flow_dumps_free(struct flow_dumps *dumps)
{
	flow_dumps_end_all(dumps);
	free(dumps);
}
