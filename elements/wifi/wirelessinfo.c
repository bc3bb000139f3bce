/* WirelessInfo: describes the wireless network. */
static inline __attribute__((unused)) const struct wifi_info *SELF(about)(void)
{
	return (const struct wifi_info *)var(info);
}
