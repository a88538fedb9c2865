// What Swift's Glibc module leaves out: GNU's and Linux's own.

#ifndef CLINUX_H
#define CLINUX_H

#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// The calling thread's name in tools like top; at most 15 characters.
static inline void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// Has the kernel send this process SIGTERM when the thread that started it ends, for as long as the calling thread lives.
// It may have ended already: see getppid().
static inline void clinux_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGTERM); }

// Locks pages into RAM when they are first used (MLOCK_ONFAULT); -1 and errno when that is not allowed.
static inline long clinux_lock_when_used(void *start, size_t size) { return syscall(SYS_mlock2, start, size, 1); }

// Makes a pipe that child processes do not inherit; -1 and errno on failure.
static inline int clinux_pipe(int *ends) { return (int)syscall(SYS_pipe2, ends, O_CLOEXEC); }

// Makes an eventfd that child processes do not inherit, and that blocks neither end; -1 and errno on failure.
static inline int clinux_eventfd(void) { return (int)syscall(SYS_eventfd2, 0, O_CLOEXEC | O_NONBLOCK); }

// Exchanges two files (renameat2(2), RENAME_EXCHANGE).
static inline int clinux_exchange_files(const char *one, const char *other) {
    return (int)syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 1u << 1);
}

// GNU's, which Swift's Glibc module leaves out.
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *processors);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// The Swift compiler lets audio threads call only functions that are marked as free of locks and allocation.
#define CLINUX_REALTIME __attribute__((swift_attr("@_noLocks")))

// The time since some fixed moment in ns; answered without entering the kernel.
CLINUX_REALTIME static inline uint64_t clinux_monotonic_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// The same, but not adjusted by NTP.
static inline uint64_t clinux_raw_nanoseconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC_RAW, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

// Makes the calling thread's arithmetic treat denormal numbers as zero: MXCSR bits 15 (flush to zero) and 6 (denormals
// are zero) on x86, FPCR bit 24 on arm64. Each costs many times a normal operation on most processors.
CLINUX_REALTIME static inline void clinux_flush_denormals(void) {
#if defined(__SSE__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#elif defined(__aarch64__)
    uint64_t fpcr;
    __asm__ volatile("mrs %0, fpcr" : "=r"(fpcr));
    __asm__ volatile("msr fpcr, %0" : : "r"(fpcr | (UINT64_C(1) << 24)));
#endif
}

// How the calling thread's arithmetic rounds, traps and treats denormal numbers, to be set again later.
CLINUX_REALTIME static inline uint64_t clinux_arithmetic_mode(void) {
    uint64_t mode = 0;
#if defined(__SSE__)
    mode = __builtin_ia32_stmxcsr();
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
#endif
    return mode;
}

// Sets a mode that clinux_arithmetic_mode() has returned.
CLINUX_REALTIME static inline void clinux_set_arithmetic_mode(uint64_t mode) {
#if defined(__SSE__)
    __builtin_ia32_ldmxcsr((unsigned)mode);
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#endif
}

#endif
