package import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The identity of this installation: 32 hexadecimal digits in a file beside the outbox.
///
/// A file that cannot be read is never overwritten: its id may come back with the next start.
package struct Installation: Sendable {
    package let id: String

    /// Reads the id, or makes one where there is none.
    package init(directory: URL) {
        let path = Installation.path(in: directory)
        if let id = Installation.read(path) {
            self.id = id
        } else {
            let id = Installation.makeID()
            Installation.write(id, to: path, flags: O_CREAT | O_EXCL)
            self.id = Installation.read(path) ?? id
        }
    }

    /// Puts another id in the place of the old one.
    package static func write(_ id: String, directory: URL) {
        write(id, to: path(in: directory), flags: O_CREAT | O_TRUNC)
    }

    /// Where the id is kept.
    package static func path(in directory: URL) -> String { directory.appendingPathComponent("device-id").path }

    /// A new id: 128 random bits as hexadecimal digits.
    package static func makeID() -> String {
        let digits = Array("0123456789abcdef")
        return String((0..<32).map { _ in digits[Int.random(in: 0..<16)] })
    }

    private static func read(_ path: String) -> String? {
        guard OutboxDirectory.isRegularFile(path), OutboxDirectory.size(path) == 32,
            let data = FileManager.default.contents(atPath: path)
        else { return nil }
        let text = String(decoding: data, as: UTF8.self)
        return text.utf8.count == 32 && text.allSatisfy(\.isHexDigit) ? text : nil
    }

    private static func write(_ id: String, to path: String, flags: Int32) {
        let descriptor = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_WRONLY, 0o600)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let bytes = Array(id.utf8)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }
}
