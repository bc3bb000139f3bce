/* Packets that leave as XDP frames, by test runs of a program with live frames (bpf/sending.bpf.c).
 *
 * A call costs some 9 us and little more for each packet, so packets wait in a batch until their thread's round is over or the batch is
 * full, and few at a time leave by the AF_XDP sockets. A call has sent everything when it returns. The program is run again only when the
 * sockets have sent everything, too: so a thread's packets stay in order.
 *
 * The kernel makes a page pool for each call. Pages that come back after the call, because a packet waits in a socket, say, are kept in
 * the pool for a second, but not more of them than it runs the program for in one go: so it gets by with few.
 */
#define _GNU_SOURCE
#include "sending.h"
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdlib.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define MOST 256		/* packets of a batch */
#define FEWEST 32		/* packets of a device that a batch has room for at least */
#define MANY 20			/* fewer leave by the sockets */
#define LOOK_AFTER 10000000	/* ns */
#define SLOW 1000000		/* ns: a call that is kept waiting so long is followed by none for PAUSE times as long */
#define PAUSE 20

struct sender {
	int program, ways, idle;	/* descriptors: of the program, the map of devices, the idle device */
	int inet;			/* a socket in the network namespace of the devices */
	__u32 batches;
	__u32 most;			/* packets of one device in a batch: all batches together leave half a socket's room */
	struct batch *memory;
	struct sending sending[];
};

static __u64 waits(void)
{
	struct rusage usage;

	return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nvcsw;
}

static struct record *record_of(const struct sending *s, __u32 at)
{
	return (struct record *)&s->batch->records[at];
}

static struct xsk_device *device_of(const struct record *record)
{
	return xsk_device_of(current->runtime, record->device);
}

static bool is_up(const struct sender *sender, __u32 ifindex)
{
	struct ifreq request = {.ifr_ifindex = ifindex};

	return !ioctl(sender->inet, SIOCGIFNAME, &request) && !ioctl(sender->inet, SIOCGIFFLAGS, &request) && request.ifr_flags & IFF_UP;
}

/* Whether a device's packets may leave by the program: what this thread's socket was given is sent, and the device isn't down, since the
 * kernel would drop packets for it without a word.
 */
static bool is_ready(struct sending *s, struct way *way, struct xsk_device *device, __u64 time)
{
	if (time - way->looked_at > LOOK_AFTER) {
		way->looked_at = time;
		way->up = is_up(s->sender, device->ifindex);
	}
	return xsk_has_sent(device) && way->up;
}

/* Errors and slow devices are tried again after a while. A long call alone may only mean that this thread was preempted. */
static void judge(struct sending *s, int error, __u64 taken, __u64 waits_before)
{
	if (taken > SLOW && waits() > waits_before)
		s->counts.slow++;
	else if (!error || error == -EINTR)
		return;
	if (taken < SLOW)
		taken = SLOW;
	s->sockets_until = machine_clock(CLOCK_MONOTONIC) + PAUSE * taken;
}

/* Runs in one go: more make a call little faster, but see above. */
static __u32 go(__u32 waiting)
{
	return waiting < 64 ? 4 : waiting / 16;
}

/* Charge the packets of which the program could make no frame to the elements that sent them. */
static void charge(const struct sending *s, const __u32 at, __u32 records)
{
	const struct runtime *runtime = current->runtime;
	const struct record *record = record_of(s, at);

	for (; records; records--, record = (const void *)record + RECORD_SIZE(record->length))
		if (record->failed)
			runtime->drops[record->element * runtime->slots + current->slot].reason[DROP_DEVICE]++;
}

static void run(struct sending *s, __u64 time)
{
	char frame[BATCH_FRAME + s->number];
	const __u64 before = waits();
	const __u32 at = s->batch->at;
	__u32 failed = s->batch->failed;
	LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = frame, .data_size_in = sizeof(frame), .repeat = s->waiting,
		    .flags = BPF_F_TEST_XDP_LIVE_FRAMES, .batch_size = go(s->waiting));
	int error;

	memset(frame, 0, sizeof(frame));
	s->batch->left = s->waiting;
	error = bpf_prog_test_run_opts(s->sender->program, &options);
	failed = s->batch->failed - failed;
	s->counts.frames += s->waiting - s->batch->left - failed;
	s->counts.failed += failed;
	if (failed)
		charge(s, at, s->waiting - s->batch->left);
	s->waiting = s->batch->left;
	judge(s, error, machine_clock(CLOCK_MONOTONIC) - time, before);
}

/* Packets leave by their sockets, which have kept places for them: all, or those of devices that aren't ready. The others move up. */
static void by_sockets(struct sending *s, bool all)
{
	__u32 from = s->batch->at, to = from, left = 0;

	for (__u32 i = 0; i < s->waiting; i++) {
		struct record *record = record_of(s, from);
		const __u32 size = RECORD_SIZE(record->length);
		struct way *way = &s->way[record->device];

		from += size;
		if (all || !way->ready) {
			xsk_enqueue_promised(device_of(record), record + 1, record->length);
			way->promised--;
			s->counts.sockets++;
			continue;
		}
		if (record != record_of(s, to))
			memmove(record_of(s, to), record, size);
		to += size;
		left++;
	}
	s->waiting = left;
}

/* By the program, if there are many, where that works. */
static void send_many(struct sending *s)
{
	const __u64 time = machine_clock(CLOCK_MONOTONIC);

	if (time < s->sockets_until)
		return;
	for (__u32 i = 0; i < s->ways; i++)
		if (s->way[i].waiting)
			s->way[i].ready = is_ready(s, &s->way[i], xsk_device_of(current->runtime, i), time);
	by_sockets(s, false);
	if (s->waiting >= MANY)
		run(s, time);
}

void sending_flush(struct sending *s)
{
	if (likely(!s->waiting))
		return;
	if (s->waiting >= MANY)
		send_many(s);
	by_sockets(s, true);
	for (__u32 i = 0; i < s->ways; i++)
		if (s->way[i].waiting) {
			struct xsk_device *device = xsk_device_of(current->runtime, i);

			xsk_promise_back(device, s->way[i].promised);
			xsk_flush(&device->output);
			s->way[i].waiting = s->way[i].promised = 0;
		}
	s->batch->at = s->end = 0;
}

/* A socket keeps a place for each packet that may come into the batch, so that no device's packets ever stay there, where they would be in
 * the way of others'. A socket that can't is in use: then packets go there without a batch.
 */
int sending_add(struct sending *s, struct xsk_device *device, __u16 element, const void *frame, __u32 length)
{
	struct way *way = &s->way[device->number];
	struct record *record;

	if (s->waiting == MOST || way->waiting == s->sender->most || s->end >= BATCH_BYTES)
		sending_flush(s);
	if (!way->waiting) {
		if (!xsk_promise(device, s->sender->most))
			return xsk_enqueue(device, frame, length);
		way->promised = s->sender->most;
	}
	record = record_of(s, s->end);
	*record = (struct record){.to = device->ifindex, .length = length, .device = device->number, .element = element};
	memcpy(record + 1, frame, length);
	s->end += RECORD_SIZE(length);
	s->waiting++;
	way->waiting++;
	return 0;
}

static void sender_destroy(struct sender *sender)
{
	if (sender->memory != MAP_FAILED)
		munmap(sender->memory, sender->batches * sizeof(struct batch));
	for (int *fd = &sender->program; fd <= &sender->inet; fd++)
		if (*fd >= 0)
			close(*fd);
	for (__u32 i = 0; i < sender->batches; i++)
		free(sender->sending[i].way);
	free(sender);
}

/* Each thread has a batch of its own: a sender with fewer is of no use. */
static bool sender_serve(struct sender *sender, struct runtime *runtime)
{
	if (sender->batches < runtime->threads)
		return false;
	for (__u32 i = 0; i < runtime->threads; i++) {
		struct sending *s = &sender->sending[i];

		free(s->way);
		s->ways = runtime->code->devices;
		s->way = calloc(s->ways, sizeof(*s->way));
		if (!s->way)
			return false;
	}
	for (__u32 i = 0; i < runtime->threads; i++)
		runtime->thread[i].sending = &sender->sending[i];
	runtime->sender = sender;
	return true;
}

/* What waits leaves. The threads stand still, some perhaps within an element's code. */
static void flush_all(struct runtime *runtime)
{
	struct thread *before = current;

	for (__u32 i = 0; i < runtime->threads; i++) {
		current = &runtime->thread[i];
		sending_flush(current->sending);
	}
	current = before;
}

static void sender_leave(struct runtime *runtime)
{
	flush_all(runtime);
	for (__u32 i = 0; i < runtime->threads; i++)
		runtime->thread[i].sending = NULL;
	runtime->sender = NULL;
}

void sending_end(struct runtime *runtime)
{
	struct sender *sender = runtime->sender;

	if (!sender)
		return;
	sender_leave(runtime);
	sender_destroy(sender);
}

void runtime_end_sending(struct runtime *runtime)
{
	runtime_lock(runtime);
	sending_end(runtime);
	runtime_unlock(runtime);
}

static struct sender *sender_new(const struct sending_fds *fds, __u32 batches)
{
	struct sender *sender = calloc(1, sizeof(*sender) + batches * sizeof(struct sending));

	if (!sender)
		return NULL;
	sender->batches = batches;
	sender->most = SEND_FRAMES / 2 / batches;
	sender->most = sender->most > MOST ? MOST : sender->most < FEWEST ? FEWEST : sender->most;
	sender->program = fcntl(fds->program, F_DUPFD_CLOEXEC, 3);
	sender->ways = fcntl(fds->ways, F_DUPFD_CLOEXEC, 3);
	sender->idle = fcntl(fds->idle, F_DUPFD_CLOEXEC, 3);
	sender->inet = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	sender->memory = mmap(NULL, batches * sizeof(struct batch), PROT_READ | PROT_WRITE, MAP_SHARED, fds->batches, 0);
	for (__u32 i = 0; i < batches; i++)
		sender->sending[i] = (struct sending){.sender = sender, .batch = &sender->memory[i], .number = i};
	return sender;
}

int runtime_set_sending(struct runtime *runtime, const struct sending_fds *fds)
{
	struct sender *sender = sender_new(fds, runtime->threads);
	int error = sender ? 0 : -ENOMEM;

	if (sender && (sender->program < 0 || sender->ways < 0 || sender->idle < 0 || sender->inet < 0 || sender->memory == MAP_FAILED)) {
		error = -EMFILE;
		sender_destroy(sender);
	}
	if (error)
		return error;
	runtime_lock(runtime);
	sending_end(runtime);
	for (__u32 i = 0; i < runtime->code->devices; i++) {	/* the new sender knows none of them */
		struct xsk_device *device = xsk_device_of(runtime, i);

		if (device)
			device->ifindex = 0;
	}
	if (!sender_serve(sender, runtime)) {
		sender_destroy(sender);
		error = -ENOMEM;
	}
	runtime_unlock(runtime);
	return error;
}

bool runtime_has_sending(struct runtime *runtime)
{
	return runtime->sender;
}

/* Each thread's packets leave first. */
void runtime_adopt_sending(struct runtime *to, struct runtime *from)
{
	struct sender *sender = from->sender;

	if (!sender || to->sender)
		return;
	sender_leave(from);
	if (!sender_serve(sender, to))
		sender_destroy(sender);
}

int runtime_set_way(struct runtime *runtime, __u32 number, __u32 ifindex)
{
	struct xsk_device *device;
	int error = 0;

	runtime_lock(runtime);
	if (runtime->sender)
		flush_all(runtime);	/* before packets that leave the other way */
	device = number < runtime->code->devices ? xsk_device_of(runtime, number) : NULL;
	if (!device || (ifindex && !runtime->sender))
		error = -ENODEV;
	else if (ifindex && bpf_map_update_elem(runtime->sender->ways, &ifindex, &ifindex, 0))
		error = -errno;
	else
		device->ifindex = ifindex;
	runtime_unlock(runtime);
	return error;
}

bool runtime_has_way(struct runtime *runtime, __u32 number)
{
	const struct xsk_device *device = number < runtime->code->devices ? xsk_device_of(runtime, number) : NULL;

	return device && device->ifindex && runtime->sender;
}

void runtime_sending_counts(struct runtime *runtime, struct sending_counts *counts)
{
	*counts = (struct sending_counts){};
	for (__u32 i = 0; runtime->sender && i < runtime->sender->batches; i++) {
		const struct sending_counts *one = &runtime->sender->sending[i].counts;

		counts->frames += one->frames;
		counts->sockets += one->sockets;
		counts->failed += one->failed;
		counts->slow += one->slow;
	}
}
