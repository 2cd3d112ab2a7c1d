#include "CSimulation.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { sector = 512 };

/// A write or a cut that no sync has followed yet.
typedef struct pending {
    struct pending *next;
    int64_t offset;
    int count;
    int is_cut;
    int is_doomed; // A failed sync has lost it, and the system takes it for written.
    unsigned char data[];
} pending_t;

/// A file, with what of it is safe.
typedef struct tracked {
    struct tracked *next;
    char *path;
    ino_t inode;
    unsigned char *durable;
    int64_t size, room;
    pending_t *first, *last;
} tracked_t;

/// A file as SQLite has it open.
typedef struct simulated {
    sqlite3_file base;
    sqlite3_file *real;
    tracked_t *tracked;
    int is_dead;
    int process;
    int last_error; // What the system has said last, which SQLite asks for behind our back.
    struct simulated *next;
} simulated_t;

static __thread char *directory;
static __thread void *context;
static __thread csimulation_access_t access_hook;
static __thread csimulation_random_t random_hook;
static __thread tracked_t *files;
static __thread simulated_t *open_files;
static __thread int is_frozen;
static __thread int opening_process;

static sqlite3_vfs *original;
static sqlite3_vfs shim;

static int ask(int operation) { return access_hook ? access_hook(context, operation) : SQLITE_OK; }

static int ask_file(simulated_t *file, int operation) {
    int code = ask(operation);
    file->last_error = code == SQLITE_OK ? 0 : code == SQLITE_FULL ? ENOSPC : EIO;
    return code;
}

static tracked_t *track(const char *path) {
    struct stat status;
    ino_t inode = lstat(path, &status) == 0 ? status.st_ino : 0;
    for (tracked_t *file = files; file; file = file->next)
        if (inode && file->inode == inode && strcmp(file->path, path) == 0) return file;
    tracked_t *file = calloc(1, sizeof *file);
    *file = (tracked_t){.next = files, .path = strdup(path), .inode = inode};
    files = file;
    return file;
}

static void note(tracked_t *file, int is_cut, int64_t offset, int count, const void *data) {
    if (is_frozen) return;
    pending_t *write = malloc(sizeof *write + (size_t)(is_cut ? 0 : count));
    *write = (pending_t){.offset = offset, .count = count, .is_cut = is_cut};
    if (!is_cut) memcpy(write->data, data, (size_t)count);
    if (file->last) file->last->next = write; else file->first = write;
    file->last = write;
}

static void resize(tracked_t *file, int64_t size) {
    if (size > file->room) {
        int64_t room = file->room ? file->room : 4096;
        while (room < size) room *= 2;
        file->durable = realloc(file->durable, (size_t)room);
        file->room = room;
    }
    if (size > file->size) memset(file->durable + file->size, 0, (size_t)(size - file->size));
    file->size = size;
}

static void put(tracked_t *file, int64_t offset, const void *data, int count) {
    if (offset + count > file->size) resize(file, offset + count);
    memcpy(file->durable + offset, data, (size_t)count);
}

static void drop(tracked_t *file) {
    for (pending_t *write = file->first; write;) {
        pending_t *next = write->next;
        free(write);
        write = next;
    }
    file->first = file->last = NULL;
}

/// Makes everything safe that was written so far, but for what an earlier failed sync has lost.
static void settle(tracked_t *file) {
    for (pending_t *write = file->first; write; write = write->next) {
        if (write->is_doomed) continue;
        if (write->is_cut) resize(file, write->offset); else put(file, write->offset, write->data, write->count);
    }
    drop(file);
}

/// Puts what is safe in the place of what the system holds of a file.
static void restore(tracked_t *file) {
    int descriptor = open(file->path, O_WRONLY | O_TRUNC);
    if (descriptor < 0) return;
    for (int64_t done = 0; done < file->size;) {
        ssize_t count = pwrite(descriptor, file->durable + done, (size_t)(file->size - done), done);
        if (count <= 0) break;
        done += count;
    }
    close(descriptor);
}

static int is_there(const tracked_t *file) {
    struct stat status;
    return file->inode && lstat(file->path, &status) == 0 && status.st_ino == file->inode;
}

// MARK: A file

static int sim_close(sqlite3_file *file) {
    simulated_t *self = (simulated_t *)file;
    int code = self->is_dead ? SQLITE_OK : self->real->pMethods->xClose(self->real);
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
    int code = self->is_dead ? SQLITE_IOERR_READ : ask_file(self, CSIMULATION_READ);
    return code ? code : self->real->pMethods->xRead(self->real, bytes, count, offset);
}

static int sim_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
    simulated_t *self = (simulated_t *)file;
    int code = self->is_dead ? SQLITE_IOERR_WRITE : ask_file(self, CSIMULATION_WRITE);
    if (code) return code;
    code = self->real->pMethods->xWrite(self->real, bytes, count, offset);
    if (code == SQLITE_OK && self->tracked) note(self->tracked, 0, offset, count, bytes);
    return code;
}

static int sim_truncate(sqlite3_file *file, sqlite3_int64 size) {
    simulated_t *self = (simulated_t *)file;
    int code = self->is_dead ? SQLITE_IOERR_TRUNCATE : ask_file(self, CSIMULATION_TRUNCATE);
    if (code) return code;
    code = self->real->pMethods->xTruncate(self->real, size);
    if (code == SQLITE_OK && self->tracked) note(self->tracked, 1, size, 0, NULL);
    return code;
}

static int sim_sync(sqlite3_file *file, int flags) {
    (void)flags;
    simulated_t *self = (simulated_t *)file;
    int code = self->is_dead ? SQLITE_IOERR_FSYNC : ask_file(self, CSIMULATION_SYNC);
    if (!self->tracked || is_frozen) return code;
    if (code == SQLITE_OK) {
        settle(self->tracked);
    } else {
        // The pages count as clean now, whether they are on the disk or not.
        for (pending_t *write = self->tracked->first; write; write = write->next)
            if (random_hook(context) & 1) write->is_doomed = 1;
    }
    return code;
}

static int sim_size(sqlite3_file *file, sqlite3_int64 *size) {
    simulated_t *self = (simulated_t *)file;
    return self->is_dead ? SQLITE_IOERR_FSTAT : self->real->pMethods->xFileSize(self->real, size);
}

static int sim_lock(sqlite3_file *file, int level) {
    simulated_t *self = (simulated_t *)file;
    return self->is_dead ? SQLITE_IOERR_LOCK : self->real->pMethods->xLock(self->real, level);
}

static int sim_unlock(sqlite3_file *file, int level) {
    simulated_t *self = (simulated_t *)file;
    return self->is_dead ? SQLITE_OK : self->real->pMethods->xUnlock(self->real, level);
}

static int sim_check(sqlite3_file *file, int *result) {
    simulated_t *self = (simulated_t *)file;
    return self->is_dead ? SQLITE_IOERR : self->real->pMethods->xCheckReservedLock(self->real, result);
}

static int sim_control(sqlite3_file *file, int operation, void *argument) {
    simulated_t *self = (simulated_t *)file;
    if (operation == SQLITE_FCNTL_LAST_ERRNO && self->last_error) {
        *(int *)argument = self->last_error;
        return SQLITE_OK;
    }
    return self->is_dead ? SQLITE_NOTFOUND : self->real->pMethods->xFileControl(self->real, operation, argument);
}

static int sim_sector(sqlite3_file *file) { return (void)file, sector; }
static int sim_device(sqlite3_file *file) { return (void)file, 0; }

static const sqlite3_io_methods methods = {
    1, sim_close, sim_read, sim_write, sim_truncate, sim_sync, sim_size,
    sim_lock, sim_unlock, sim_check, sim_control, sim_sector, sim_device};

// MARK: The file system

static int sim_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out) {
    (void)vfs;
    if (!name || !directory || strncmp(name, directory, strlen(directory)) != 0)
        return original->xOpen(original, name, file, flags, out);
    simulated_t *self = (simulated_t *)file;
    memset(self, 0, sizeof *self);
    int code = ask(CSIMULATION_OPEN);
    if (code) return code;
    self->real = calloc(1, (size_t)original->szOsFile);
    code = original->xOpen(original, name, self->real, flags, out);
    if (code != SQLITE_OK) {
        free(self->real);
        self->real = NULL;
        return code;
    }
    self->base.pMethods = &methods;
    self->process = opening_process;
    if (flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) self->tracked = track(name);
    self->next = open_files;
    open_files = self;
    return SQLITE_OK;
}

static int sim_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    (void)vfs;
    if (!random_hook) return original->xRandomness(original, count, bytes);
    for (int index = 0; index < count; index++) bytes[index] = (char)(random_hook(context) >> 24);
    return count;
}

static void install(void) {
    sqlite3_initialize();
    original = sqlite3_vfs_find(NULL);
    // It begins SQLite's generator anew at the first file that a process opens, unless it has been asked before.
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
    const char *path, void *new_context, csimulation_access_t access, csimulation_random_t random) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    directory = strdup(path);
    context = new_context;
    access_hook = access;
    random_hook = random;
    is_frozen = 0;
    // SQLite's own generator begins anew, from ours, and at once: its first use comes earlier in a process's first run.
    char byte;
    sqlite3_randomness(0, NULL);
    sqlite3_randomness(1, &byte);
}

void csimulation_disk_freeze(void) { is_frozen = 1; }

void csimulation_disk_put_back(const char *path) {
    struct stat status;
    // The last one of the name comes first.
    for (tracked_t *file = files; file; file = file->next)
        if (strcmp(file->path, path) == 0) {
            if (lstat(path, &status) == 0) file->inode = status.st_ino;
            return;
        }
}

static void close_where(int is_any, int process) {
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
}

static void close_all(void) { close_where(1, 0); }

void csimulation_disk_open_by(int process) { opening_process = process; }

void csimulation_disk_close(int process) { close_where(0, process); }

void csimulation_disk_kill(void) {
    close_all();
    is_frozen = 0;
}

void csimulation_disk_power_loss(void) {
    for (tracked_t *file = files; file; file = file->next) {
        if (!is_there(file)) {
            drop(file);
            continue;
        }
        for (pending_t *write = file->first; write; write = write->next) {
            uint64_t luck = random_hook(context) % 4;
            if (write->is_doomed || luck == 0) continue;
            if (write->is_cut) {
                resize(file, write->offset);
            } else if (luck == 1) {
                put(file, write->offset, write->data, write->count);
            } else {
                // Any of its sectors, and not the others.
                for (int at = 0; at < write->count; at += sector) {
                    int count = write->count - at < sector ? write->count - at : sector;
                    if (random_hook(context) & 1) put(file, write->offset + at, write->data + at, count);
                }
            }
        }
        drop(file);
        restore(file);
    }
}

void csimulation_disk_end(void) {
    close_all();
    for (tracked_t *file = files; file;) {
        tracked_t *next = file->next;
        drop(file);
        free(file->path);
        free(file->durable);
        free(file);
        file = next;
    }
    files = NULL;
    free(directory);
    directory = NULL;
    context = NULL;
    access_hook = NULL;
    random_hook = NULL;
    is_frozen = 0;
}
