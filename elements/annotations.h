/* A packet's annotations: offsets and access. */
#pragma once

/* Click's 48 bytes, at Click's offsets. */
#define ANNO_SIZE 48
#define DST_IP_ANNO 0
#define DST_IP6_ANNO 0
#define PAINT_ANNO 16
#define ICMP_PARAMPROB_ANNO 17
#define FIX_IP_SRC_ANNO 19
#define VLAN_TCI_ANNO 20
#define AGGREGATE_ANNO 20
#define EXTRA_PACKETS_ANNO 24
#define EXTRA_LENGTH_ANNO 28
#define FIRST_TIMESTAMP_ANNO 32
#define PERFCTR_ANNO 40

/* The timestamp follows the annotations, and crosses to the runtime with them; NO_TIME means the time of the packet's arrival.
 * After it comes a traced packet's number (bpf/traced.h).
 */
#define CARRIED_TRACE (ANNO_SIZE + 8)
#define CARRIED_SIZE (CARRIED_TRACE + 8)
#define NO_TIME (1ull << 63)

#define pkt_anno_u8(p, offset) (*(__u8 *)((p)->anno + (offset)))
#define pkt_anno_u16(p, offset) (*(__u16 *)((p)->anno + (offset)))
#define pkt_anno_u32(p, offset) (*(__u32 *)((p)->anno + (offset)))
#define pkt_set_anno_u8(p, offset, value) (pkt_anno_u8(p, offset) = (value))
#define pkt_set_anno_u16(p, offset, value) (pkt_anno_u16(p, offset) = (value))
#define pkt_set_anno_u32(p, offset, value) (pkt_anno_u32(p, offset) = (value))
