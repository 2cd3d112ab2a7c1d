#ifndef CLOCKS_H
#define CLOCKS_H

#include <stdbool.h>
#include <stdint.h>

// Atomic operations on 64-bit values, which Swift cannot express without its Synchronization module.
//
// The order is one of the compiler's __ATOMIC_ values. Swift passes a constant, so each call compiles to a single
// instruction in optimized code.

/// Returns the value.
static inline uint64_t clocks_load(const uint64_t *word, int order) {
    return __atomic_load_n(word, order);
}

/// Stores a value.
static inline void clocks_store(uint64_t *word, uint64_t value, int order) {
    __atomic_store_n(word, value, order);
}

/// Stores a value, and returns the previous one.
static inline uint64_t clocks_exchange(uint64_t *word, uint64_t value, int order) {
    return __atomic_exchange_n(word, value, order);
}

/// Adds a value with wrap-around, and returns the previous one.
static inline uint64_t clocks_add(uint64_t *word, uint64_t value, int order) {
    return __atomic_fetch_add(word, value, order);
}

/// Stores `desired` if the value equals `*expected`; otherwise sets `*expected` to the value. Returns whether the value
/// was stored. On failure, the operation has the memory order of a load. A weak exchange may fail even if the values
/// are equal.
static inline bool clocks_compare_exchange(
    uint64_t *word, uint64_t *expected, uint64_t desired, bool weak, int order
) {
    int failure = order == __ATOMIC_RELEASE   ? __ATOMIC_RELAXED
                  : order == __ATOMIC_ACQ_REL ? __ATOMIC_ACQUIRE
                                              : order;
    return __atomic_compare_exchange_n(word, expected, desired, weak, order, failure);
}

#endif
