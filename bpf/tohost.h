/* What the runtime and the program that turns its frames round agree on. */
#ifndef CLICKBPF_BPF_TOHOST_H
#define CLICKBPF_BPF_TOHOST_H

/* SO_MARK of frames that Linux is to receive. */
#define TOHOST_MARK 0xc11c

#endif
