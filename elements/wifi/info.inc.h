/* The WirelessInfo that an argument names. Included once for each instance. */

#ifdef OTHER_wireless_info
static inline __attribute__((unused)) const struct wifi_info *OTHER(wireless_info, about)(void);
#endif

/* Its description, or NULL if there is none. */
static inline __attribute__((unused)) const struct wifi_info *SELF(info)(void)
{
#ifdef OTHER_wireless_info
	return OTHER(wireless_info, about)();
#else
	return NULL;
#endif
}
