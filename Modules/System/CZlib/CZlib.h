#ifndef CZLIB_H
#define CZLIB_H

#include <zlib.h>

// What Swift cannot import from <zlib.h>: the macros that pass the library's version.

/// Starts a gzip stream (window bits 15 + 16) at the given level.
static inline int czlib_gzip_init(z_streamp stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

/// Starts the decoder of a gzip or zlib stream, told apart by its header (window bits 15 + 32).
static inline int czlib_gunzip_init(z_streamp stream) {
    return inflateInit2(stream, 15 + 32);
}

#endif
