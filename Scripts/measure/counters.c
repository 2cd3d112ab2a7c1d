// Counters of each thread's allocations and of the process's disk syncs, for `Scripts/benchmark`.
//
// The library is loaded before the C library (LD_PRELOAD, Linux with glibc) and replaces some of its functions. Each
// allocation function increments its thread's counter and calls the original under glibc's second name for it. The
// counter therefore needs no lock, no lookup and no allocation. Releasing memory is not counted. `fsync` and
// `fdatasync` have no second name, and are looked up.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// In the executable's static thread-local memory, which needs no allocation.
static __thread uint64_t allocations __attribute__((tls_model("initial-exec")));
static _Atomic uint64_t syncs;

// Returns the number of allocations of the calling thread so far.
uint64_t benchmark_allocations(void) { return allocations; }

// Returns the number of calls of `fsync` and `fdatasync` of all threads so far.
uint64_t benchmark_syncs(void) { return atomic_load(&syncs); }

typedef int (*sync_t)(int descriptor);

// Counts a sync, and calls the C library's function.
static int sync_by(const char *name, int descriptor) {
    sync_t original = (sync_t)dlsym(RTLD_NEXT, name);
    atomic_fetch_add(&syncs, 1);
    if (original) return original(descriptor);
    errno = ENOSYS;
    return -1;
}

int fsync(int descriptor) { return sync_by("fsync", descriptor); }

int fdatasync(int descriptor) { return sync_by("fdatasync", descriptor); }

void *malloc(size_t size) {
    allocations++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    allocations++;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    allocations++;
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    allocations++;
    void *found = __libc_memalign(alignment, size);
    if (!found) return ENOMEM;
    *memory = found;
    return 0;
}
