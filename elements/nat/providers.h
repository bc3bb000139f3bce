/* A router's mappers and holders of patterns: one list in its text, however many of its classes include this. */
#pragma once

#include "nat/pattern.h"

LASTING_AS(struct nat_provider *, nat_providers, nat_providers_own);
