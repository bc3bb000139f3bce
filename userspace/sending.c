/* Sends packets as XDP frames (volley.c).
 *
 * Packets collect in a batch until their thread's round is over or the batch is full. Those that the device takes no frames for are
 * sent by the AF_XDP sockets. To keep a thread's packets in order, frames are used only when its socket has sent everything; a volley,
 * for its part, has sent everything when its call returns.
 */
#define _GNU_SOURCE
#include "sending.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "volley.h"

#define MOST 256		/* packets of a batch ... */
#define FEWEST 32		/* ... which has room for so many, however many threads there are */
#define PAUSE 10000000		/* ns without frames for a device after a call that failed or whose frames it refused */

struct sender {
	int file[SENDING_FILES];
	__u32 volleys;			/* numbers that have been given to volleys */
	__u32 batches;
	__u32 most;			/* packets of one device in a batch; all batches together use half of a socket's ring */
	struct batch *memory;
	struct sending sending[];
};

static struct record *record_of(const struct sending *s, __u32 at)
{
	return (struct record *)&s->batch->records[at];
}

/* Send some of a device's packets as frames; false if they haven't all left. Count those that the device refuses. */
static bool send_frames(struct sending *s, struct tx_queue *queue, const struct xsk_device *device)
{
	const __u32 packets = volley_size(queue->waiting);
	char frame[BATCH_FRAME + s->number];
	__u32 sent;

	memset(frame, 0, sizeof(frame));
	s->batch->at = queue->first;
	s->batch->left = packets;
	s->batch->refused = 0;
	volley_send(device->volleys, s->sender->file[SENDING_TAP], packets, frame, sizeof(frame));
	sent = packets - s->batch->left;
	s->batch->left = 0;
	queue->first = s->batch->at;
	queue->waiting -= sent;
	s->counts.frames += sent;
	device_refused(current->runtime, device->number, s->batch->refused);
	if (sent == packets && !s->batch->refused)
		return true;
	s->counts.pauses++;
	queue->sockets_until = machine_clock(CLOCK_MONOTONIC) + PAUSE;
	return false;
}

/* Send as frames, if the device isn't in a pause. */
static void send_all_frames(struct sending *s, struct tx_queue *queue, struct xsk_device *device)
{
	if ((queue->sockets_until && machine_clock(CLOCK_MONOTONIC) < queue->sockets_until) || !xsk_has_sent(device))
		return;
	queue->sockets_until = 0;
	while (queue->waiting && send_frames(s, queue, device))
		;
}

/* Send the rest by the device's socket, in the places reserved there. */
static void send_others(struct sending *s, struct tx_queue *queue, struct xsk_device *device)
{
	for (; queue->waiting; queue->waiting--) {
		const struct record *record = record_of(s, queue->first);

		xsk_enqueue_promised(device, record + 1, record->length);
		queue->promised--;
		queue->first = record->next;
		s->counts.sockets++;
	}
	xsk_promise_back(device, queue->promised);
	queue->promised = 0;
	xsk_flush(&device->output);
}

void sending_flush(struct sending *s)
{
	if (likely(!s->waiting))
		return;
	for (__u32 i = 0; i < s->queues; i++)
		if (s->queue[i].waiting) {
			struct xsk_device *device = xsk_device_of(current->runtime, i);

			send_all_frames(s, &s->queue[i], device);
			send_others(s, &s->queue[i], device);
		}
	s->waiting = s->end = 0;
}

/* Before a device's first packet enters the batch, reserve places in its socket for all that may follow: so a flush always empties
 * the batch, and no device holds up another. If the socket has too little room, it is busy anyway: put the packet there directly.
 */
int sending_add(struct sending *s, struct xsk_device *device, const void *frame, __u32 length)
{
	struct tx_queue *queue = &s->queue[device->number];
	struct record *record;

	if (s->waiting == MOST || queue->waiting == s->sender->most || s->end >= BATCH_BYTES)
		sending_flush(s);
	if (!queue->waiting) {
		if (!xsk_promise(device, s->sender->most))
			return xsk_enqueue(device, frame, length);
		queue->promised = s->sender->most;
		queue->first = s->end;
	} else {
		record_of(s, queue->last)->next = s->end;
	}
	queue->last = s->end;
	record = record_of(s, s->end);
	*record = (struct record){.length = length};
	memcpy(record + 1, frame, length);
	s->end += RECORD_SIZE(length);
	s->waiting++;
	queue->waiting++;
	return 0;
}

static void sender_destroy(struct sender *sender)
{
	if (sender->memory != MAP_FAILED)
		munmap(sender->memory, sender->batches * sizeof(struct batch));
	for (int i = 0; i < SENDING_FILES; i++)
		if (sender->file[i] >= 0)
			close(sender->file[i]);
	for (__u32 i = 0; i < sender->batches; i++)
		free(sender->sending[i].queue);
	free(sender);
}

/* False if there are fewer batches than threads, since each thread needs one of its own. */
static bool sender_serve(struct sender *sender, struct runtime *runtime)
{
	if (sender->batches < runtime->threads)
		return false;
	for (__u32 i = 0; i < runtime->threads; i++) {
		struct sending *s = &sender->sending[i];

		free(s->queue);
		s->queues = runtime->code->devices;
		s->queue = calloc(s->queues, sizeof(*s->queue));
		if (!s->queue)
			return false;
	}
	for (__u32 i = 0; i < runtime->threads; i++)
		runtime->thread[i].sending = &sender->sending[i];
	runtime->sender = sender;
	return true;
}

/* Flush all batches. The threads stand still, some perhaps inside an element's code. */
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

/* NULL with errno set if it can't be made. */
static struct sender *sender_new(const int file[SENDING_FILES], __u32 batches)
{
	struct sender *sender = calloc(1, sizeof(*sender) + batches * sizeof(struct sending));
	bool whole = true;

	if (!sender)
		return NULL;
	sender->batches = batches;
	sender->most = SEND_FRAMES / 2 / batches;
	sender->most = sender->most > MOST ? MOST : sender->most < FEWEST ? FEWEST : sender->most;
	for (int i = 0; i < SENDING_FILES; i++)
		whole &= (sender->file[i] = fcntl(file[i], F_DUPFD_CLOEXEC, 3)) >= 0;
	sender->memory = mmap(NULL, batches * sizeof(struct batch), PROT_READ | PROT_WRITE, MAP_SHARED, file[SENDING_BATCHES], 0);
	for (__u32 i = 0; i < batches; i++)
		sender->sending[i] = (struct sending){.sender = sender, .batch = &sender->memory[i], .number = i};
	if (whole && sender->memory != MAP_FAILED)
		return sender;
	sender_destroy(sender);
	errno = EMFILE;
	return NULL;
}

static void set_volleys(struct xsk_device *device, struct volleys *volleys)
{
	volleys_close(device->volleys);
	device->volleys = volleys;
}

int runtime_set_sending(struct runtime *runtime, const int file[SENDING_FILES])
{
	struct sender *sender = sender_new(file, runtime->threads);
	int error = 0;

	if (!sender)
		return -errno;
	runtime_lock(runtime);
	sending_end(runtime);
	for (__u32 i = 0; i < runtime->code->devices; i++) {	/* their volleys use the old program */
		struct xsk_device *device = xsk_device_of(runtime, i);

		if (device)
			set_volleys(device, NULL);
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

/* The batches are flushed first. */
void runtime_adopt_sending(struct runtime *to, struct runtime *from)
{
	struct sender *sender = from->sender;

	if (!sender || to->sender)
		return;
	sender_leave(from);
	if (!sender_serve(sender, to))
		sender_destroy(sender);
}

static int open_volleys(struct sender *sender, struct volleys **to, __u32 ifindex)
{
	const __u32 first = sender->volleys;

	sender->volleys += VOLLEYS;
	return volleys_open(to, sender->file[SENDING_VOLLEYS], first, sender->file[SENDING_FILLING], ifindex);
}

int runtime_set_ring(struct runtime *runtime, __u32 number, __u32 ifindex)
{
	struct volleys *volleys = NULL;
	struct xsk_device *device;
	int error = 0;

	if (ifindex)
		error = runtime->sender ? open_volleys(runtime->sender, &volleys, ifindex) : -ENODEV;
	if (error)
		return error;
	runtime_lock(runtime);
	if (runtime->sender)
		flush_all(runtime);	/* to keep the order */
	device = number < runtime->code->devices ? xsk_device_of(runtime, number) : NULL;
	if (device)
		set_volleys(device, volleys);
	runtime_unlock(runtime);
	if (!device)
		volleys_close(volleys);
	return device ? 0 : -ENODEV;
}

bool runtime_has_ring(struct runtime *runtime, __u32 number)
{
	const struct xsk_device *device = number < runtime->code->devices ? xsk_device_of(runtime, number) : NULL;

	return device && device->volleys && runtime->sender;
}

void runtime_sending_counts(struct runtime *runtime, struct sending_counts *counts)
{
	*counts = (struct sending_counts){};
	for (__u32 i = 0; runtime->sender && i < runtime->sender->batches; i++) {
		const struct sending_counts *one = &runtime->sender->sending[i].counts;

		counts->frames += one->frames;
		counts->sockets += one->sockets;
		counts->pauses += one->pauses;
	}
}
