// A counter of each thread's allocations, for `Scripts/benchmark`.
//
// The library is loaded before the C library (LD_PRELOAD, Linux with glibc) and replaces its allocation functions. Each
// function increments its thread's counter and calls the original under glibc's second name for it. The counter
// therefore needs no lock, no lookup and no allocation. Releasing memory is not counted.

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

// In the executable's static thread-local memory, which needs no allocation.
static __thread uint64_t allocations __attribute__((tls_model("initial-exec")));

// Returns the number of allocations of the calling thread so far.
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
