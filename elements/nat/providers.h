/* A router's mappers and holders of patterns: one list in its text, however many of its classes include this. */
#ifndef CLICKBPF_NAT_PROVIDERS_H
#define CLICKBPF_NAT_PROVIDERS_H

#include "nat/pattern.h"

LASTING_AS(struct nat_provider *, nat_providers, nat_providers_own);

#endif
