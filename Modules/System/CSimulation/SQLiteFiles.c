#include "Disk.h"
#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// A file that SQLite has open.
typedef struct simulated {
    sqlite3_file base;
    sqlite3_file *real;
    disk_file_t *file;
    int is_dead;
    int is_log; // Its first sync makes its name durable.
    int process;
    int last_error; // The last error of the system, for SQLITE_FCNTL_LAST_ERRNO.
    struct simulated *next;
} simulated_t;

static __thread simulated_t *open_files;
static __thread int opening_process;

static sqlite3_vfs *original;
static sqlite3_vfs shim;

/// Calls a function of the real file without simulating its system calls.
#define REALLY(type, call) ({ disk_enter(); type result_ = (call); disk_leave(); result_; })

static int ask_file(simulated_t *self, int operation, int64_t growth) {
    int code = disk_ask(operation, growth);
    self->last_error = code == SQLITE_OK ? 0 : code == SQLITE_FULL ? ENOSPC : EIO;
    return code;
}

static int sim_close(sqlite3_file *file) {
    simulated_t *self = (simulated_t *)file;
    int code = self->is_dead ? SQLITE_OK : REALLY(int, self->real->pMethods->xClose(self->real));
    for (simulated_t **link = &open_files; *link; link = &(*link)->next)
        if (*link == self) {
            *link = self->next;
            break;
        }
    free(self->real);
    self->real = NULL;
    return code;
}

static int sim_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
    simulated_t *self = (simulated_t *)file;
    int code = self->is_dead ? SQLITE_IOERR_READ : ask_file(self, CSIMULATION_READ, 0);
    return code ? code : REALLY(int, self->real->pMethods->xRead(self->real, bytes, count, offset));
}

static int sim_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    simulated_t *self = (simulated_t *)file;
    sqlite3_int64 size = 0;
    if (!self->is_dead) REALLY(int, self->real->pMethods->xFileSize(self->real, &size));
    sqlite3_int64 growth = offset + count > size ? offset + count - size : 0;
    int code = self->is_dead ? SQLITE_IOERR_WRITE : ask_file(self, CSIMULATION_WRITE, growth);
    if (code) return code;
    code = REALLY(int, self->real->pMethods->xWrite(self->real, bytes, count, offset));
    if (code == SQLITE_OK && self->file) disk_write(self->file, offset, count, bytes);
    return code;
}

static int sim_truncate(sqlite3_file *file, sqlite3_int64 size) {
    simulated_t *self = (simulated_t *)file;
    int code = self->is_dead ? SQLITE_IOERR_TRUNCATE : ask_file(self, CSIMULATION_TRUNCATE, 0);
    if (code) return code;
    code = REALLY(int, self->real->pMethods->xTruncate(self->real, size));
    if (code == SQLITE_OK && self->file) disk_write(self->file, size, 0, NULL);
    return code;
}

static int sim_sync(sqlite3_file *file, int flags) {
    (void)flags;
    simulated_t *self = (simulated_t *)file;
    int code = self->is_dead ? SQLITE_IOERR_FSYNC : ask_file(self, CSIMULATION_SYNC, 0);
    if (self->is_dead || !self->file) return code;
    disk_sync(self->file, code != SQLITE_OK);
    if (code == SQLITE_OK && self->is_log) {
        self->is_log = 0;
        disk_sync_names();
    }
    return code;
}

static int sim_size(sqlite3_file *file, sqlite3_int64 *size) {
    simulated_t *self = (simulated_t *)file;
    return self->is_dead ? SQLITE_IOERR_FSTAT : REALLY(int, self->real->pMethods->xFileSize(self->real, size));
}

static int sim_lock(sqlite3_file *file, int level) {
    simulated_t *self = (simulated_t *)file;
    return self->is_dead ? SQLITE_IOERR_LOCK : REALLY(int, self->real->pMethods->xLock(self->real, level));
}

static int sim_unlock(sqlite3_file *file, int level) {
    simulated_t *self = (simulated_t *)file;
    return self->is_dead ? SQLITE_OK : REALLY(int, self->real->pMethods->xUnlock(self->real, level));
}

static int sim_check(sqlite3_file *file, int *result) {
    simulated_t *self = (simulated_t *)file;
    return self->is_dead ? SQLITE_IOERR : REALLY(int, self->real->pMethods->xCheckReservedLock(self->real, result));
}

static int sim_control(sqlite3_file *file, int operation, void *argument) {
    simulated_t *self = (simulated_t *)file;
    if (operation == SQLITE_FCNTL_LAST_ERRNO && self->last_error) {
        *(int *)argument = self->last_error;
        return SQLITE_OK;
    }
    if (self->is_dead) return SQLITE_NOTFOUND;
    return REALLY(int, self->real->pMethods->xFileControl(self->real, operation, argument));
}

static int sim_sector(sqlite3_file *file) { return (void)file, 512; }
static int sim_device(sqlite3_file *file) { return (void)file, 0; }

static const sqlite3_io_methods methods = {
    1, sim_close, sim_read, sim_write, sim_truncate, sim_sync, sim_size,
    sim_lock, sim_unlock, sim_check, sim_control, sim_sector, sim_device};

static int sim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    if (!disk_has(name)) return original->xOpen(original, name, file, flags, out);
    simulated_t *self = (simulated_t *)file;
    memset(self, 0, sizeof *self);
    int code = disk_ask(CSIMULATION_OPEN, 0);
    if (code) return code;
    self->real = calloc(1, (size_t)original->szOsFile);
    code = REALLY(int, original->xOpen(original, name, self->real, flags, out));
    if (code != SQLITE_OK) {
        free(self->real);
        self->real = NULL;
        return code;
    }
    self->base.pMethods = &methods;
    self->process = opening_process;
    self->is_log = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0;
    if (self->is_log || (flags & SQLITE_OPEN_MAIN_DB)) self->file = disk_open(name);
    self->next = open_files;
    open_files = self;
    return SQLITE_OK;
}

static int sim_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    (void)vfs;
    if (!disk_has_random()) return original->xRandomness(original, count, bytes);
    for (int index = 0; index < count; index++) bytes[index] = (char)(disk_random() >> 24);
    return count;
}

static void install(void) {
    sqlite3_initialize();
    original = sqlite3_vfs_find(NULL);
    // Otherwise SQLite would reseed its generator when the process opens its first file.
    char byte;
    original->xRandomness(original, 1, &byte);
    shim = *original;
    shim.zName = "simulated";
    shim.pNext = NULL;
    if (shim.szOsFile < (int)sizeof(simulated_t)) shim.szOsFile = sizeof(simulated_t);
    shim.xOpen = sim_open;
    shim.xRandomness = sim_randomness;
    sqlite3_vfs_register(&shim, 1);
}

void csimulation_disk_begin(
    const char *path, void *context, csimulation_access_t access, csimulation_random_t random) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    disk_start(path, context, access, random);
    // Reseed SQLite's generator from the simulation now, so its first use is the same in each run of a process.
    char byte;
    sqlite3_randomness(0, NULL);
    sqlite3_randomness(1, &byte);
}

static void close_where(int is_any, int process) {
    disk_enter();
    for (simulated_t **link = &open_files; *link;) {
        simulated_t *file = *link;
        if (!is_any && file->process != process) {
            link = &file->next;
            continue;
        }
        file->real->pMethods->xUnlock(file->real, SQLITE_LOCK_NONE);
        file->real->pMethods->xClose(file->real);
        file->is_dead = 1;
        *link = file->next;
    }
    disk_leave();
}

void csimulation_disk_open_by(int process) { opening_process = process; }

void csimulation_disk_close(int process) { close_where(0, process); }

void csimulation_disk_end(void) {
    close_where(1, 0);
    disk_stop();
}
