#ifdef __linux__
#define _GNU_SOURCE
#include "Disk.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

// The system calls for files other than SQLite's. They replace the C library's functions in the whole process, and
// simulate the calls of a thread with a simulated disk.

enum { most_descriptors = 4096 };
static __thread disk_file_t *open_files[most_descriptors];
static __thread unsigned char is_folder[most_descriptors];

#define REAL(name) \
    static __typeof__(&name) _Atomic known; \
    __typeof__(&name) real = known; \
    if (!real) known = real = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

/// Returns -1, and sets errno for an SQLite result code.
static int fail(int code) {
    errno = (code & 0xFF) == SQLITE_FULL ? ENOSPC : (code & 0xFF) == SQLITE_CANTOPEN ? EPERM : EIO;
    return -1;
}

static int is_known(int descriptor) {
    return descriptor >= 0 && descriptor < most_descriptors && open_files[descriptor];
}

typedef int (*open_t)(const char *, int, ...);

static int open_by(open_t real, const char *path, int flags, mode_t mode) {
    if (!disk_has(path)) return real(path, flags, mode);
    int code = disk_ask(CSIMULATION_OPEN, 0);
    if (code) return fail(code);
    struct stat status;
    disk_enter();
    int existed = lstat(path, &status) == 0;
    disk_leave();
    if (!existed && (flags & O_CREAT) && (code = disk_ask(CSIMULATION_WRITE, 0))) return fail(code);
    int descriptor = real(path, flags, mode);
    if (descriptor < 0 || descriptor >= most_descriptors) return descriptor;
    if (flags & O_DIRECTORY) {
        is_folder[descriptor] = 1;
    } else {
        disk_file_t *file = disk_open(path);
        open_files[descriptor] = file;
        if (flags & O_TRUNC) disk_write(file, 0, 0, NULL);
    }
    return descriptor;
}

int open(const char *path, int flags, ...) {
    REAL(open);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_by((open_t)real, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    REAL(open64);
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    return open_by((open_t)real, path, flags, mode);
}

int close(int descriptor) {
    REAL(close);
    if (descriptor >= 0 && descriptor < most_descriptors) {
        open_files[descriptor] = NULL;
        is_folder[descriptor] = 0;
    }
    return real(descriptor);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    REAL(pwrite);
    if (!is_known(descriptor)) return real(descriptor, bytes, count, offset);
    struct stat status;
    off_t growth = fstat(descriptor, &status) == 0 ? offset + (off_t)count - status.st_size : 0;
    int code = disk_ask(CSIMULATION_WRITE, growth > 0 ? growth : 0);
    if (code) return fail(code);
    ssize_t written = real(descriptor, bytes, count, offset);
    if (written > 0) disk_write(open_files[descriptor], offset, (int)written, bytes);
    return written;
}

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
    REAL(pread);
    int code = is_known(descriptor) ? disk_ask(CSIMULATION_READ, 0) : 0;
    return code ? fail(code) : real(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t size) {
    REAL(ftruncate);
    int result = real(descriptor, size);
    if (result == 0 && is_known(descriptor)) disk_write(open_files[descriptor], size, 0, NULL);
    return result;
}

int posix_fallocate(int descriptor, off_t offset, off_t count) {
    REAL(posix_fallocate);
    if (!is_known(descriptor)) return real(descriptor, offset, count);
    // The files of which the engine allocates space are empty.
    int code = disk_ask(CSIMULATION_WRITE, count);
    if (code) {
        fail(code);
        return errno;  // unlike the other calls, it returns the error
    }
    // The simulated disk counts the space, so the file can be sparse, which takes less time.
    return ftruncate(descriptor, offset + count) ? errno : 0;
}

int fsync(int descriptor) {
    REAL(fsync);
    int is_simulated = is_known(descriptor) || (descriptor >= 0 && descriptor < most_descriptors && is_folder[descriptor]);
    if (!is_simulated) return real(descriptor);
    int code = disk_ask(CSIMULATION_SYNC, 0);
    if (is_known(descriptor)) disk_sync(open_files[descriptor], code != 0);
    else if (!code) disk_sync_names();
    return code ? fail(code) : 0;
}

int rename(const char *from, const char *to) {
    REAL(rename);
    int is_simulated = disk_has(from) && disk_has(to);
    int code = is_simulated ? disk_ask(CSIMULATION_WRITE, 0) : 0;
    if (code) return fail(code);
    int result = real(from, to);
    if (result == 0 && is_simulated) disk_rename(from, to);
    return result;
}

int unlink(const char *path) {
    REAL(unlink);
    int result = real(path);
    if (result == 0 && disk_has(path)) disk_remove(path);
    return result;
}
#endif
