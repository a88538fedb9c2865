// What Swift's Glibc module leaves out: GNU's and Linux's own.

#ifndef CLINUX_H
#define CLINUX_H

#include <malloc.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The calling thread's name in tools like top; at most 15 characters.
static inline void clinux_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

// Has the process told to end when the thread that started it ends. That may have happened already: see getppid().
static inline void clinux_end_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGTERM); }

// Locks pages into RAM when they are first used (MLOCK_ONFAULT); -1 and errno when that is not allowed.
static inline long clinux_lock_when_used(void *start, size_t size) { return syscall(SYS_mlock2, start, size, 1); }

// Has all threads allocate from one heap, those excepted that have a heap of their own already.
static inline void clinux_share_heap(void) { mallopt(M_ARENA_MAX, 1); }

#endif
