package import EventBuffer

#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif
#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The identity of this installation: 32 hexadecimal digits in a file beside the outbox.
///
/// A file that cannot be read for now is never overwritten: its id may come back with the next start. One that holds no
/// id, because a process was killed or a disk was full, and one that is not this user's own are replaced.
package enum Installation {
    private static let length = 32

    /// Puts another id in the place of the old one, in one step; returns whether it is stored.
    @discardableResult
    package static func write(_ id: String, directory: URL) -> Bool {
        do {
            try OwnFile.replace(path(in: directory), with: Array(id.utf8))
            return true
        } catch {
            return false
        }
    }

    /// The id that is stored; `nil` where there is none, without making one.
    package static func stored(in directory: URL) throws(OutboxError) -> String? { try read(path(in: directory)) }

    /// Deletes the stored id; returns whether none is there any more.
    package static func remove(in directory: URL) -> Bool {
        unlink(path(in: directory)) == 0 || errno == ENOENT
    }

    /// Where the id is kept.
    package static func path(in directory: URL) -> String { directory.appendingPathComponent("device-id").path }

    /// A new id: 128 random bits as hexadecimal digits.
    package static func makeID(using random: inout some RandomNumberGenerator) -> String {
        Identity.makeDeviceID(using: &random)
    }

    /// A new id of the system's own randomness.
    package static func makeID() -> String {
        var random = SystemRandomNumberGenerator()
        return makeID(using: &random)
    }

    private static func read(_ path: String) throws(OutboxError) -> String? {
        do throws(OutboxError) {
            guard let bytes = try OwnFile.contents(of: path, limit: length) else { return nil }
            let text = String(decoding: bytes, as: UTF8.self)
            return text.utf8.count == length && text.allSatisfy(\.isHexDigit) ? text : nil
        } catch .corrupt {
            return nil
        } catch .foreign {
            return nil
        }
    }
}
