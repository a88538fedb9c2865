// A virtual file system of SQLite that passes everything on to the usual one, and fails, waits or hangs when told to.

#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

typedef enum { FAULTY_OPEN, FAULTY_READ, FAULTY_WRITE, FAULTY_SYNC, FAULTY_KINDS } faulty_operation;

typedef struct faulty_disk faulty_disk;

// Makes a disk and registers it under a name; it is never freed.
faulty_disk *faulty_disk_make(const char *name);

// Lets operations of a kind fail with an error number from now on; 0 for none. ENOSPC becomes SQLITE_FULL.
void faulty_disk_fail(faulty_disk *disk, faulty_operation operation, int code);

// Lets each operation of a kind take so long from now on.
void faulty_disk_slow(faulty_disk *disk, faulty_operation operation, int microseconds);

// Holds all operations of a kind, or lets them continue.
void faulty_disk_hold(faulty_disk *disk, faulty_operation operation, int is_held);

// How many operations of a kind were begun.
int faulty_disk_count(faulty_disk *disk, faulty_operation operation);

#endif
