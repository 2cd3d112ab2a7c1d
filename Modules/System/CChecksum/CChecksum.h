#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <sys/auxv.h>
#endif

// The instructions of a processor that compute a CRC-32C. Swift has no access to them.

#if defined(__x86_64__)
#define CCHECKSUM_EIGHT(crc, word) ((uint32_t)__builtin_ia32_crc32di((crc), (word)))
#define CCHECKSUM_ONE(crc, byte) __builtin_ia32_crc32qi((crc), (byte))
#define CCHECKSUM_TARGET __attribute__((target("sse4.2")))
#elif defined(__aarch64__)
#define CCHECKSUM_EIGHT(crc, word) __builtin_arm_crc32cd((crc), (word))
#define CCHECKSUM_ONE(crc, byte) __builtin_arm_crc32cb((crc), (byte))
#if defined(__ARM_FEATURE_CRC32)
#define CCHECKSUM_TARGET
#else
#define CCHECKSUM_TARGET __attribute__((target("crc")))
#endif
#endif

/// Whether this processor has the instructions. Asking it takes up to a microsecond.
static inline bool cchecksum_is_supported(void) {
#if defined(__x86_64__)
    unsigned int a = 0, b = 0, c = 0, d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSE4_2);
#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)
    return true;
#elif defined(__aarch64__) && defined(__linux__)
    return getauxval(AT_HWCAP) & (1 << 7);
#else
    return false;
#endif
}

/// Returns the CRC-32C of bytes that follow others with the given one. The processor must have the instructions.
#if defined(CCHECKSUM_TARGET)
CCHECKSUM_TARGET
#endif
static inline uint32_t cchecksum_add(uint32_t crc, const void *bytes, size_t count) {
#if defined(CCHECKSUM_TARGET)
    const uint8_t *next = (const uint8_t *)bytes;
    crc = ~crc;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        __builtin_memcpy(&word, next, 8);
        crc = CCHECKSUM_EIGHT(crc, word);
    }
    for (; count > 0; count--, next++) crc = CCHECKSUM_ONE(crc, *next);
    return ~crc;
#else
    (void)bytes;
    (void)count;
    return crc;
#endif
}

#undef CCHECKSUM_EIGHT
#undef CCHECKSUM_ONE
#undef CCHECKSUM_TARGET

#endif
