#ifndef CLOCKS_H
#define CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

// What Swift cannot say before its Synchronization module: atomic operations on a word of 64 bits.
//
// The order is one of the compiler's __ATOMIC_ values. Swift passes a constant, so that each call becomes its one
// instruction where the calling code is optimized.

static inline uint64_t clocks_load(const uint64_t *word, int order) {
    return __atomic_load_n(word, order);
}

static inline void clocks_store(uint64_t *word, uint64_t value, int order) {
    __atomic_store_n(word, value, order);
}

static inline uint64_t clocks_exchange(uint64_t *word, uint64_t value, int order) {
    return __atomic_exchange_n(word, value, order);
}

/// Adds with wrap-around and returns the value before.
static inline uint64_t clocks_add(uint64_t *word, uint64_t value, int order) {
    return __atomic_fetch_add(word, value, order);
}

/// Writes `desired` where `*expected` is found; otherwise leaves in `*expected` what was found. A failure orders only
/// what a load can. A weak exchange may also fail where the value is as expected.
static inline bool clocks_compare_exchange(
    uint64_t *word, uint64_t *expected, uint64_t desired, bool weak, int order
) {
    int failure = order == __ATOMIC_RELEASE   ? __ATOMIC_RELAXED
                  : order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE
                                              : order;
    return __atomic_compare_exchange_n(word, expected, desired, weak, order, failure);
}

#endif
