// A preloaded library (LD_PRELOAD) that informs ThreadSanitizer how Swift's own libraries, which are not instrumented, order
// threads.
//
// A contended Mutex: Swift's library waits for it and wakes waiters, so the sanitizer sees no lock and reports races on whatever
// the Mutex guards. The uncontended paths are inlined into instrumented code.
//
// A continuation that was resumed before it is awaited: Swift's library always reports the resumption to the sanitizer, but
// the awaiting task's continuing only if it was suspended.
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
#define ASYNC __attribute__((swiftasynccall))
#define SELF __attribute__((swift_context))
#define CONTEXT __attribute__((swift_async_context))

extern SWIFT void *swift_task_getCurrent(void) __attribute__((weak));

// The library's own function. Concurrent look-ups find the same one.
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

// The head of Swift's AsyncContext: where a task continues.
struct context {
    void *parent;
    ASYNC void (*resume)(CONTEXT struct context *context);
};

// Where the task that awaits on this thread continues; read only within the same call.
static __thread ASYNC void (*resume)(CONTEXT struct context *context);

ASYNC static void resume_known(CONTEXT struct context *context) {
    __tsan_acquire(swift_task_getCurrent());
    context->resume = resume;
    context->resume(context);
}

// A task that is suspended continues where it was set to before this call; one that continues at once, where its context says.
ASYNC void swift_continuation_await(struct context *context) {
    static void *known;
    if (__tsan_acquire) {
        resume = context->resume;
        context->resume = resume_known;
    }
    ((ASYNC void (*)(struct context *))library(&known, "swift_continuation_await"))(context);
}
