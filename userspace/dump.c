/* Packet dumps by libpcap: classic pcap of both byte orders and both timestamp resolutions, and pcapng for reading. */
#include "dump.h"
#include <errno.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "stream.h"

struct dump {
	pcap_t *pcap;
	pcap_dumper_t *out;	/* NULL when reading */
	bool nano;
	FILE *cells;		/* read without libpcap */
	enum cell_format format;
	struct cell cell;
};

static int complain(char *complaint, const char *text, int error)
{
	snprintf(complaint, DUMP_COMPLAINT, "%s", text);
	return error;
}

/* Translate libpcap's messages into Click's. */
static const char *what_is_wrong(const char *error)
{
	if (strstr(error, "only got 0"))
		return "empty file";
	if (strstr(error, "truncated"))
		return "not a tcpdump file (too short)";
	return strcmp(error, "unknown file format") ? error : "not a tcpdump file (bad magic number)";
}

int dump_open(struct dump **result, int fd, char *complaint)
{
	struct dump *dump = calloc(1, sizeof(*dump));
	char error[PCAP_ERRBUF_SIZE];
	FILE *file = stream_read(fd);

	if (!dump || !file) {
		free(dump);
		if (file)
			fclose(file);
		return complain(complaint, "out of memory", -ENOMEM);
	}
	dump->pcap = pcap_fopen_offline_with_tstamp_precision(file, PCAP_TSTAMP_PRECISION_NANO, error);
	if (!dump->pcap) {
		fclose(file);
		free(dump);
		return complain(complaint, what_is_wrong(error), -EINVAL);
	}
	*result = dump;
	return 0;
}

int dump_open_cells(struct dump **result, int fd, enum cell_format format, char *complaint)
{
	struct dump *dump = calloc(1, sizeof(*dump));
	FILE *file = stream_read(fd);
	int first = file ? getc(file) : EOF;

	if (!dump || !file || first == EOF) {
		free(dump);
		if (file)
			fclose(file);
		return complain(complaint, dump && file ? "empty file" : "out of memory", dump && file ? -EINVAL : -ENOMEM);
	}
	ungetc(first, file);
	dump->cells = file;
	dump->format = format;
	*result = dump;
	return 0;
}

int dump_link_type(const struct dump *dump)
{
	if (dump->cells)
		return DLT_RAW;
	return pcap_datalink(dump->pcap);
}

int dump_read(struct dump *dump, struct dump_frame *frame)
{
	struct pcap_pkthdr *header;
	const u_char *bytes;

	if (dump->cells)
		return cell_read(dump->cells, dump->format, &dump->cell, frame);
	frame->interface = 0;
	if (pcap_next_ex(dump->pcap, &header, &bytes) != 1)
		return strstr(pcap_geterr(dump->pcap), "bigger than") ? -EINVAL : 0;
	frame->bytes = bytes;
	/* Some programs write a captured length above the packet's. */
	frame->length = header->caplen < header->len ? header->caplen : header->len;
	frame->full_length = header->len;
	frame->timestamp = header->ts.tv_sec * 1000000000ull + header->ts.tv_usec;
	return 1;
}

static FILE *file_of(const struct dump *dump)
{
	return dump->cells ?: pcap_file(dump->pcap);
}

__u64 dump_position(const struct dump *dump)
{
	off_t position = ftello(file_of(dump));

	return position < 0 ? 0 : position;
}

int dump_seek(struct dump *dump, __u64 position)
{
	return fseeko(file_of(dump), position, SEEK_SET) ? -errno : 0;
}

int dump_create(struct dump **result, int fd, int link_type, __u32 snaplen, int format, bool nano, char *complaint)
{
	struct dump *dump = calloc(1, sizeof(*dump));
	FILE *file = stream_write(fd, format);
	int precision = nano ? PCAP_TSTAMP_PRECISION_NANO : PCAP_TSTAMP_PRECISION_MICRO;

	if (!dump || !file)
		goto fail;
	dump->nano = nano;
	dump->pcap = pcap_open_dead_with_tstamp_precision(link_type, snaplen ?: 65535, precision);
	if (!dump->pcap)
		goto fail;
	dump->out = pcap_dump_fopen(dump->pcap, file);
	if (!dump->out) {
		complain(complaint, pcap_geterr(dump->pcap), 0);
		pcap_close(dump->pcap);
		free(dump);
		return -EIO;
	}
	*result = dump;
	return 0;
fail:
	free(dump);
	if (file)
		fclose(file);
	return complain(complaint, "out of memory", -ENOMEM);
}

int dump_write(struct dump *dump, const struct dump_frame *frame)
{
	struct pcap_pkthdr header = {
		.ts.tv_sec = frame->timestamp / 1000000000,
		.ts.tv_usec = frame->timestamp % 1000000000 / (dump->nano ? 1 : 1000),
		.caplen = frame->length,
		.len = frame->full_length,
	};

	pcap_dump((u_char *)dump->out, &header, frame->bytes);
	return ferror(pcap_dump_file(dump->out)) ? -EIO : 0;
}

int dump_flush(struct dump *dump)
{
	return pcap_dump_flush(dump->out) ? -EIO : 0;
}

void dump_close(struct dump *dump)
{
	if (dump->out)
		pcap_dump_close(dump->out);
	if (dump->pcap)
		pcap_close(dump->pcap);
	if (dump->cells)
		fclose(dump->cells);
	free(dump);
}
