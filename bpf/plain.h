/* A second copy of a path, for plain packets while no handler has changed a setting: clang specialises it for both facts. */
#pragma once

/* Send a packet `p` through `path`, a function whose last parameter says whether the packet is plain. It is inlined twice: with
 * settings as constants for plain packets, and in general. keep_apart() stops clang from merging the two.
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

/* The result of an action that may use whether the packet is plain. Later elements may have written to the header, so it holds for
 * this action only.
 */
#define as_plain_or_not(p, is_plain, action) \
	({                                   \
		int result_;                 \
		(p)->plain = is_plain;       \
		result_ = action;            \
		(p)->plain = false;          \
		result_;                     \
	})

/* Settings have the configuration's values, and so has the annotation that was set to one. */
static __always_inline void pkt_note_configured(struct pkt *p)
{
	p->configured = true;
	if (p->noted)
		p->anno[PAINT_ANNO] = p->noted_value;
}

/* Read the setting here, on the general path, so that the other path has no load. */
static __always_inline void pkt_read_setting(struct pkt *p)
{
	if (p->noted)
		p->anno[PAINT_ANNO] = *p->noted_at;
}

/* An annotation has been set to the setting at `now`, whose value in the configuration is `configured`. Remembered for PAINT only:
 * the offset must be a compile-time constant.
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
