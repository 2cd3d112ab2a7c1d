#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The form of a small file: a line with the checksum and the length of a JSON document, then the document.
///
/// Bytes after the document are ignored, so a shorter document can overwrite a longer one.
enum ChecksummedJSON {
    /// The maximum size of a file in bytes.
    static let maximumBytes = 16_777_216

    /// Returns the bytes of a file.
    static func bytes(of value: some Encodable) -> [UInt8]? {
        guard let body = try? JSONEncoder().encode(value) else { return nil }
        return Array("\(Checksum(of: body).value) \(body.count)\n".utf8) + body
    }

    /// Returns the value in a file's bytes, or `nil` if they are damaged.
    static func value<Value: Decodable>(of type: Value.Type, in bytes: [UInt8]) -> Value? {
        body(in: bytes).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    private static func body(in bytes: [UInt8]) -> Data? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
        let data = Data(bytes)
        let head = String(decoding: data[..<end], as: UTF8.self).split(separator: " ")
        let rest = data[data.index(after: end)...]
        guard head.count == 2, let sum = UInt32(head[0]), let count = Int(head[1]), count >= 0, count <= rest.count,
            Checksum(of: rest.prefix(count)).value == sum
        else { return nil }
        return rest.prefix(count)
    }
}
