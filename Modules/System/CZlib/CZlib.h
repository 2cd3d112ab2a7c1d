#ifndef CZLIB_H
#define CZLIB_H

#include <zlib.h>

// Wrappers for the macros of <zlib.h> that pass the library's version, which Swift cannot import.

/// Starts a gzip stream (window bits 15 + 16) at the given level.
static inline int czlib_gzip_init(z_streamp stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// Starts decoding a gzip or zlib stream, and detects the format from its header (window bits 15 + 32).
static inline int czlib_gunzip_init(z_streamp stream) {
    return inflateInit2(stream, 15 + 32);
}

#endif
