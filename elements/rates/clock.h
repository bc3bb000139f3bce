/* Units of time. */
#ifndef CLICKBPF_RATES_CLOCK_H
#define CLICKBPF_RATES_CLOCK_H

#define NS_PER_SECOND 1000000000ll
#define NS_PER_MS 1000000ll
#define NS_PER_MICROSECOND 1000ll

#endif
