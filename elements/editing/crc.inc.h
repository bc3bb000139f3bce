/* Click's CRC-32: Ethernet's polynomial, initial value all ones, highest bit first, not inverted. Included once for each instance.
 *
 * The CRC follows the data, in host byte order.
 */
#include <string.h>

static inline __u32 SELF(crc)(const __u8 *data, __u32 length)
{
	__u32 crc = ~0u;

	for (__u32 i = 0; i < length; i++)
		crc = crc << 8 ^ SELF(crc_table)[crc >> 24 ^ data[i]];
	return crc;
}
