// Brings RealtimeSanitizer into a program that was built without it, by LD_PRELOAD: every call that may block aborts if it
// comes within JACK's process callback or, in a thread that has made itself real-time, between one sleep until a deadline and
// the next. Linked with the sanitizer's runtime (scripts/check-rt).
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern void __rtsan_ensure_initialized(void);
extern void __rtsan_realtime_enter(void);
extern void __rtsan_realtime_exit(void);

typedef int (*process_callback)(uint32_t frames, void *argument);

struct watched {
    process_callback call;
    void *argument;
};

// Runs before other libraries call what the sanitizer intercepts.
__attribute__((constructor(101))) static void initialize(void) { __rtsan_ensure_initialized(); }

// A deliberate violation, which must be found.
static void plant(const char *place) {
    const char *wanted = getenv("PIXELBOOP_RTSAN_PLANT");
    if (!wanted || strcmp(wanted, place)) return;
    void *volatile memory = malloc(1);
    free(memory);
}

static int process(uint32_t frames, void *argument) {
    struct watched *watched = argument;
    __rtsan_realtime_enter();
    plant("jack");
    int result = watched->call(frames, watched->argument);
    __rtsan_realtime_exit();
    return result;
}

// Replaces libjack's function. `watched` is never freed, because JACK does not report its last call.
int jack_set_process_callback(void *client, process_callback call, void *argument) {
    struct watched *watched = malloc(sizeof *watched);
    if (!watched) return -1;
    *watched = (struct watched){call, argument};
    int (*library)(void *, process_callback, void *) = dlsym(RTLD_NEXT, "jack_set_process_callback");
    return library(client, process, watched);
}

static _Thread_local bool is_realtime, is_watched;

static void leave(void) {
    if (is_watched) __rtsan_realtime_exit();
    is_watched = false;
}

// Replaces the C library's function: with it the internal driver's thread begins and ends being real-time.
int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters) {
    if (pthread_equal(thread, pthread_self())) {
        leave();
        is_realtime = policy != SCHED_OTHER;
    }
    int (*library)(pthread_t, int, const struct sched_param *) = dlsym(RTLD_NEXT, "pthread_setschedparam");
    return library(thread, policy, parameters);
}

// Replaces the C library's function.
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
    leave();
    int (*library)(clockid_t, int, const struct timespec *, struct timespec *) = dlsym(RTLD_NEXT, "clock_nanosleep");
    int result = library(clock, flags, time, rest);
    if (is_realtime && (flags & TIMER_ABSTIME)) {
        is_watched = true;
        __rtsan_realtime_enter();
        plant("internal");
    }
    return result;
}
