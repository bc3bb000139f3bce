/* The messages of IEEE 802.1D's spanning tree protocol (section 9.3) and their Ethernet frames (section 7.12): LLC with the
 * SAP 0x42.
 */
#pragma once

#define BPDU_CONFIG 0x00
#define BPDU_CHANGE 0x80	/* topology change notification */
#define BPDU_TC 0x01
#define BPDU_TCA 0x80
#define BPDU_FRAME 60		/* the shortest Ethernet frame, without its checksum */
#define BPDU_LLC 3
/* Bytes after LLC. */
#define BPDU_CONFIG_SIZE 35
#define BPDU_CHANGE_SIZE 4

/* The fields of a configuration message; times are in 1/256 s. */
struct bpdu {
	__u64 root, bridge;
	__u32 cost;
	__u16 port;
	__u16 age, max_age, hello_time, forward_delay;
	__u8 flags;
};

struct bpdu_wire {
	__u8 to[6], from[6];
	__be16 length;
	__u8 sap[2], control;
	__be16 protocol;
	__u8 version, type, flags;
	__u8 root[8], cost[4], bridge[8], port[2], age[2], max_age[2], hello_time[2], forward_delay[2];
} __attribute__((packed));

/* Write a frame of BPDU_FRAME bytes from an Ethernet address, with a message of this type and size after LLC, then zeros. */
void bpdu_write_head(struct bpdu_wire *wire, const __u8 *from, __u8 type, int size);
/* Write the fields of a configuration message. */
void bpdu_write(struct bpdu_wire *wire, const struct bpdu *message);
/* Read the fields of a configuration message. */
void bpdu_read(const struct bpdu_wire *wire, struct bpdu *message);
/* The type of a frame's message, or -1 if it is not a valid message of this protocol (802.1D, 9.3.4). */
int bpdu_type(const struct bpdu_wire *wire, __u32 frame_size);
