// SQLite's interface, and what Swift cannot import: macros with casts, functions with variable arguments.

#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return count ? sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT)
                 : sqlite3_bind_zeroblob(statement, index, 0);
}

static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text) {
    return sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

static const int csqlite_ioerr_read = SQLITE_IOERR_READ;
static const int csqlite_ioerr_short_read = SQLITE_IOERR_SHORT_READ;
static const int csqlite_ioerr_fsync = SQLITE_IOERR_FSYNC;
static const int csqlite_ioerr_dir_fsync = SQLITE_IOERR_DIR_FSYNC;

// The error number of a database's last failed system call; 0 if none is known. sqlite3_system_errno() does not know those
// of a commit.
static inline int csqlite_last_errno(sqlite3 *database) {
    int code = 0;
    sqlite3_file *log = 0;
    sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (log && log->pMethods) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code);
    if (!code) sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &code);
    return code ? code : sqlite3_system_errno(database);
}

// Closing the database leaves its log as it is.
static inline int csqlite_keep_log_on_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
