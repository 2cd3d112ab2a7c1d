import CZlib

/// Compresses request bodies (RFC 1952) with the system's zlib.
package enum Gzip {
    /// The level of compression: the fastest one already takes most of what JSON has to give.
    private static let level: Int32 = 1

    /// Compresses bytes; the same bytes always give the same result.
    ///
    /// `nil` when they do not get smaller, or when zlib fails: the caller sends them as they are.
    package static func compress(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard !bytes.isEmpty, UInt32(exactly: bytes.count) != nil, czlib_gzip_init(&stream, level) == Z_OK else {
            return nil
        }
        defer { deflateEnd(&stream) }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { source in
            let packed = [UInt8](unsafeUninitializedCapacity: source.count - 1) { target, count in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(target.count)
                let isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = isWhole ? target.count - Int(stream.avail_out) : 0
            }
            return packed.isEmpty ? nil : packed
        }
    }
}
