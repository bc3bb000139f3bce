/* Units of time. */
#pragma once

#define NS_PER_SECOND 1000000000ll
#define NS_PER_MS 1000000ll
#define NS_PER_MICROSECOND 1000ll
