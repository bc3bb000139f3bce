/* The path that plain packets have of their own, and what is known on it besides: settings that no handler has changed. */
#pragma once

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
			pkt_read_setting(p);              \
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
	if (p->noted)
		p->anno[PAINT_ANNO] = p->noted_value;
}

/* The setting, read once more: other packets needn't read it then. */
static __always_inline void pkt_read_setting(struct pkt *p)
{
	if (p->noted)
		p->anno[PAINT_ANNO] = *p->noted_at;
}

/* An annotation has been set to the setting at `now`, which is `configured` in the configuration. Only PAINT's is remembered: clang has
 * to know which annotation it is.
 */
static __always_inline void pkt_note_setting(struct pkt *p, __u32 offset, const __u8 *now, __u8 configured)
{
	if (offset != PAINT_ANNO)
		return;
	p->noted = true;
	p->noted_value = configured;
	p->noted_at = now;
}

#define pkt_forget_setting(p) ((void)((p)->noted = false))
