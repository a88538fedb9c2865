// Brings RealtimeSanitizer into a JACK client that was built without it, for LD_PRELOAD: within the process callback every
// call that may block aborts. Linked with the sanitizer's runtime (scripts/check-rt).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

extern void __rtsan_ensure_initialized(void);
extern void __rtsan_realtime_enter(void);
extern void __rtsan_realtime_exit(void);

typedef int (*process_callback)(uint32_t frames, void *argument);

struct watched {
    process_callback call;
    void *argument;
};

// Before any other library's code calls what the sanitizer intercepts.
__attribute__((constructor(101))) static void initialize(void) { __rtsan_ensure_initialized(); }

static int process(uint32_t frames, void *argument) {
    struct watched *watched = argument;
    __rtsan_realtime_enter();
    // A violation on purpose, to see that it is found.
    if (getenv("PIXELBOOP_RTSAN_PLANT")) {
        void *volatile memory = malloc(1);
        free(memory);
    }
    int result = watched->call(frames, watched->argument);
    __rtsan_realtime_exit();
    return result;
}

// In libjack's place; lives as long as the process, because JACK does not say when it calls for the last time.
int jack_set_process_callback(void *client, process_callback call, void *argument) {
    struct watched *watched = malloc(sizeof *watched);
    if (!watched) return -1;
    *watched = (struct watched){call, argument};
    int (*library)(void *, process_callback, void *) = dlsym(RTLD_NEXT, "jack_set_process_callback");
    return library(client, process, watched);
}
