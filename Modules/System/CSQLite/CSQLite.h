#ifndef CSQLITE_H
#define CSQLITE_H

#include <errno.h>
#include <sqlite3.h>

// Wrappers for the variadic functions and pointer-valued macros of <sqlite3.h>, which Swift cannot import.

/// Rejects statements that could deliberately corrupt the file (SQLITE_DBCONFIG_DEFENSIVE).
static inline int csqlite_set_defensive(sqlite3 *database, int on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, on, (int *)0);
}

/// Keeps the write-ahead log unchanged when the connection is closed (SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE).
static inline int csqlite_set_no_checkpoint_on_close(sqlite3 *database, int on) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on, (int *)0);
}

/// Binds bytes that SQLite copies before the call returns.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/// Binds text that SQLite copies before the call returns.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}

/// Returns the open write-ahead log of the database, or NULL.
static inline sqlite3_file *csqlite_log(sqlite3 *database) {
    sqlite3_file *log = 0;
    int code = sqlite3_file_control(database, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    return code == SQLITE_OK && log && log->pMethods ? log : 0;
}

/// Makes the contents of the write-ahead log survive a power loss. Without an open log, this is an error.
static inline int csqlite_sync_log(sqlite3 *database) {
    sqlite3_file *log = csqlite_log(database);
    return log ? log->pMethods->xSync(log, SQLITE_SYNC_FULL) : SQLITE_ERROR;
}

/// Returns whether the last access to the database or its log failed because of the device. SQLite reports such a read
/// as SQLITE_CORRUPT.
static inline int csqlite_device_failed(sqlite3 *database) {
    int code = 0;
    sqlite3_file *log = csqlite_log(database);
    sqlite3_file_control(database, "main", SQLITE_FCNTL_LAST_ERRNO, &code);
    if (code != EIO && code != ENXIO && log) log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &code);
    return code == EIO || code == ENXIO;
}

#endif
