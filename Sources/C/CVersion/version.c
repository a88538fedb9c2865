#include "pixelboop_version.h"

const char *const pixelboop_version = PIXELBOOP_VERSION;
