/* A router's list of mappers and holders of patterns, defined once however many classes include this. */
#pragma once

#include "nat/pattern.h"

LASTING_AS(struct nat_provider *, nat_providers, nat_providers_own);
