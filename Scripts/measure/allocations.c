// Counts the allocations of each thread, for `Scripts/benchmark`.
//
// The library is loaded before the C library (LD_PRELOAD, Linux with glibc) and takes the place of its allocation
// functions. Each call adds one to a counter of its thread and is passed on under glibc's second name for it, so the
// counter needs no lock, no look-up and no memory of its own. Releasing memory is not counted.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// In the executable's own block of thread-local memory, whose use allocates nothing.
static __thread uint64_t allocations __attribute__((tls_model("initial-exec")));

// The allocations of the calling thread so far.
uint64_t benchmark_allocations(void) { return allocations; }

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
