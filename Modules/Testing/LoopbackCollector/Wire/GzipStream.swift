import CZlib

/// A decoder of gzip bodies, and an encoder of bodies that expand to a large size.
enum GzipStream {
    /// Decompresses a gzip or zlib stream.
    ///
    /// - Parameters:
    ///   - packed: The whole stream.
    ///   - limit: The maximum number of decompressed bytes.
    /// - Returns: The decompressed bytes, or `nil` if the stream is malformed, truncated or exceeds the limit.
    static func inflate(_ packed: [UInt8], limit: Int) -> [UInt8]? {
        var stream = z_stream()
        guard czlib_gunzip_init(&stream) == Z_OK else { return nil }
        defer { inflateEnd(&stream) }
        var unpacked: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var input = packed
        return input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(clamping: source.count)
            var status = Z_OK
            while status == Z_OK {
                let written = chunk.withUnsafeMutableBufferPointer { target in
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(clamping: target.count)
                    status = CZlib.inflate(&stream, Z_NO_FLUSH)
                    return target.count - Int(stream.avail_out)
                }
                guard unpacked.count + written <= limit else { return nil }
                unpacked.append(contentsOf: chunk[..<written])
            }
            return status == Z_STREAM_END && stream.avail_in == 0 ? unpacked : nil
        }
    }

    /// Returns a gzip stream that decompresses to zeros.
    ///
    /// - Parameter count: The number of zeros, at most 1 GiB.
    /// - Returns: The stream.
    static func zeros(count: Int) -> [UInt8] {
        var stream = z_stream()
        guard czlib_gzip_init(&stream, 9) == Z_OK else { return [] }
        defer { deflateEnd(&stream) }
        var packed: [UInt8] = []
        var zeros = [UInt8](repeating: 0, count: 65_536)
        var chunk = zeros
        var remaining = min(max(0, count), 1 << 30)
        var status = Z_OK
        while status == Z_OK || status == Z_BUF_ERROR {
            let size = min(remaining, zeros.count)
            remaining -= size
            zeros.withUnsafeMutableBufferPointer { source in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(clamping: size)
                repeat {
                    let written = chunk.withUnsafeMutableBufferPointer { target in
                        stream.next_out = target.baseAddress
                        stream.avail_out = UInt32(clamping: target.count)
                        status = deflate(&stream, remaining == 0 ? Z_FINISH : Z_NO_FLUSH)
                        return target.count - Int(stream.avail_out)
                    }
                    packed.append(contentsOf: chunk[..<written])
                } while stream.avail_out == 0
            }
        }
        return packed
    }
}
