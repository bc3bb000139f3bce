/* The path that plain packets have of their own, and what is known on it besides: settings that no handler has changed. */
#ifndef CLICKBPF_BPF_PLAIN_H
#define CLICKBPF_BPF_PLAIN_H

/* Send a packet `p` through `path`, a function whose last parameter is whether the packet is plain: plain packets have a path of
 * their own, compiled for what is known of them, and for settings that no handler has changed. Without the asm, clang would merge the two.
 */
#define plain_or_not(is_plain, path, ...)                 \
	({                                                \
		int verdict_;                             \
		if (likely(!settings_changed() && (is_plain))) { \
			keep_apart();                     \
			pkt_note_configured(p);           \
			verdict_ = path(__VA_ARGS__, true); \
			keep_apart();                     \
		} else {                                  \
			keep_apart();                     \
			pkt_read_paint(p);                \
			verdict_ = path(__VA_ARGS__, false); \
			keep_apart();                     \
		}                                         \
		verdict_;                                 \
	})

/* The result of an action for which it matters whether the packet is plain. Later elements may write to the header, so the packet
 * isn't plain to them. */
#define as_plain_or_not(p, is_plain, action) \
	({                                   \
		int result_;                 \
		(p)->plain = is_plain;       \
		result_ = action;            \
		(p)->plain = false;          \
		result_;                     \
	})

/* Settings are what the configuration says, and so is what elements before have made of them. */
static __always_inline void pkt_note_configured(struct pkt *p)
{
	p->configured = true;
	if (p->painted)
		p->anno[PAINT_ANNO] = p->paint;
}

/* The setting, read once more: other packets needn't read it then. */
static __always_inline void pkt_read_paint(struct pkt *p)
{
	if (p->painted)
		p->anno[PAINT_ANNO] = *p->paint_now;
}

/* An annotation has been set to the setting `now`, which is `color` in the configuration. */
static __always_inline void pkt_note_paint(struct pkt *p, __u32 offset, const __u8 *now, __u8 color)
{
	if (offset != PAINT_ANNO)
		return;
	p->painted = true;
	p->paint = color;
	p->paint_now = now;
}

#define pkt_forget_paint(p) ((void)((p)->painted = false))

#endif
