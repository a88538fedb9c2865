#include "faulty_disk.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct faulty_disk {
    sqlite3_vfs vfs;
    sqlite3_vfs *usual;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int errors[FAULTY_KINDS];
    int delays[FAULTY_KINDS];
    int is_held[FAULTY_KINDS];
    int counts[FAULTY_KINDS];
    int last_error;
};

typedef struct {
    sqlite3_file base;
    faulty_disk *disk;
    sqlite3_file *file;
} faulty_file;

// Waits as told; the error number with which the operation fails, or 0.
static int pass(faulty_disk *disk, faulty_operation operation) {
    pthread_mutex_lock(&disk->lock);
    disk->counts[operation] += 1;
    while (disk->is_held[operation]) pthread_cond_wait(&disk->changed, &disk->lock);
    int delay = disk->delays[operation];
    int code = disk->errors[operation];
    if (code) disk->last_error = code;
    pthread_mutex_unlock(&disk->lock);
    if (delay) usleep(delay);
    return code;
}

static faulty_file *mine(sqlite3_file *file) { return (faulty_file *)file; }

static int close_file(sqlite3_file *file) {
    sqlite3_file *usual = mine(file)->file;
    return usual->pMethods ? usual->pMethods->xClose(usual) : SQLITE_OK;
}

static int read_file(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    if (pass(mine(file)->disk, FAULTY_READ)) return SQLITE_IOERR_READ;
    return mine(file)->file->pMethods->xRead(mine(file)->file, bytes, count, offset);
}

static int write_file(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    int code = pass(mine(file)->disk, FAULTY_WRITE);
    if (code) return code == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    return mine(file)->file->pMethods->xWrite(mine(file)->file, bytes, count, offset);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    return mine(file)->file->pMethods->xTruncate(mine(file)->file, size);
}

static int sync_file(sqlite3_file *file, int flags) {
    if (pass(mine(file)->disk, FAULTY_SYNC)) return SQLITE_IOERR_FSYNC;
    return mine(file)->file->pMethods->xSync(mine(file)->file, flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) {
    return mine(file)->file->pMethods->xFileSize(mine(file)->file, size);
}

static int lock_file(sqlite3_file *file, int level) {
    return mine(file)->file->pMethods->xLock(mine(file)->file, level);
}

static int unlock_file(sqlite3_file *file, int level) {
    return mine(file)->file->pMethods->xUnlock(mine(file)->file, level);
}

static int check_lock(sqlite3_file *file, int *result) {
    return mine(file)->file->pMethods->xCheckReservedLock(mine(file)->file, result);
}

static int control_file(sqlite3_file *file, int operation, void *argument) {
    if (operation == SQLITE_FCNTL_LAST_ERRNO && mine(file)->disk->last_error) {
        *(int *)argument = mine(file)->disk->last_error;
        return SQLITE_OK;
    }
    return mine(file)->file->pMethods->xFileControl(mine(file)->file, operation, argument);
}

static int sector_size(sqlite3_file *file) { return mine(file)->file->pMethods->xSectorSize(mine(file)->file); }

static int characteristics(sqlite3_file *file) {
    return mine(file)->file->pMethods->xDeviceCharacteristics(mine(file)->file);
}

// Version 1 has no shared memory: the log's index must be in the process's own.
static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock_file,
    .xUnlock = unlock_file,
    .xCheckReservedLock = check_lock,
    .xFileControl = control_file,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = characteristics,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags) {
    faulty_disk *disk = vfs->pAppData;
    faulty_file *opened = mine(file);
    opened->base.pMethods = NULL;
    opened->disk = disk;
    opened->file = (sqlite3_file *)(opened + 1);
    if (pass(disk, FAULTY_OPEN)) return SQLITE_CANTOPEN;
    int result = disk->usual->xOpen(disk->usual, name, opened->file, flags, out_flags);
    if (opened->file->pMethods) opened->base.pMethods = &methods;
    return result;
}

static int last_error(sqlite3_vfs *vfs, int size, char *text) {
    (void)size, (void)text;
    faulty_disk *disk = vfs->pAppData;
    return disk->last_error;
}

faulty_disk *faulty_disk_make(const char *name) {
    faulty_disk *disk = calloc(1, sizeof *disk);
    disk->usual = sqlite3_vfs_find(NULL);
    disk->vfs = *disk->usual;
    disk->vfs.pNext = NULL;
    disk->vfs.zName = strdup(name);
    disk->vfs.pAppData = disk;
    disk->vfs.szOsFile = (int)sizeof(faulty_file) + disk->usual->szOsFile;
    disk->vfs.xOpen = open_file;
    disk->vfs.xGetLastError = last_error;
    pthread_mutex_init(&disk->lock, NULL);
    pthread_cond_init(&disk->changed, NULL);
    sqlite3_vfs_register(&disk->vfs, 0);
    return disk;
}

void faulty_disk_fail(faulty_disk *disk, faulty_operation operation, int code) {
    pthread_mutex_lock(&disk->lock);
    disk->errors[operation] = code;
    pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_slow(faulty_disk *disk, faulty_operation operation, int microseconds) {
    pthread_mutex_lock(&disk->lock);
    disk->delays[operation] = microseconds;
    pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_hold(faulty_disk *disk, faulty_operation operation, int is_held) {
    pthread_mutex_lock(&disk->lock);
    disk->is_held[operation] = is_held;
    pthread_cond_broadcast(&disk->changed);
    pthread_mutex_unlock(&disk->lock);
}

int faulty_disk_count(faulty_disk *disk, faulty_operation operation) {
    pthread_mutex_lock(&disk->lock);
    int count = disk->counts[operation];
    pthread_mutex_unlock(&disk->lock);
    return count;
}
