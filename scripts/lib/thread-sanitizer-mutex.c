// Tells ThreadSanitizer of Swift's contended Mutex, for LD_PRELOAD.
//
// The library that waits for a contended Mutex, and wakes who waits, is not instrumented: the sanitizer sees no lock and
// takes whatever the Mutex guards for a race. The uncontended ways are inlined into instrumented code.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

// Synchronization._MutexHandle._lockSlow(Swift.UInt32) -> () and _unlockSlow() -> ()
#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// The library's own function. Whoever looks it up at the same time finds the same.
static void *library(void **known, const char *name) {
    void *function = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (function == NULL) {
        function = dlsym(RTLD_NEXT, name);
        __atomic_store_n(known, function, __ATOMIC_RELAXED);
    }
    return function;
}

SWIFT void lock_slow(uint32_t owner, SELF void *handle) __asm__(LOCK_SLOW);
SWIFT void lock_slow(uint32_t owner, SELF void *handle) {
    static void *known;
    ((SWIFT void (*)(uint32_t, SELF void *))library(&known, LOCK_SLOW))(owner, handle);
    if (__tsan_acquire) __tsan_acquire(handle);
}

SWIFT void unlock_slow(SELF void *handle) __asm__(UNLOCK_SLOW);
SWIFT void unlock_slow(SELF void *handle) {
    static void *known;
    if (__tsan_release) __tsan_release(handle);
    ((SWIFT void (*)(SELF void *))library(&known, UNLOCK_SLOW))(handle);
}
