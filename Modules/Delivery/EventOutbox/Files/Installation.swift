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

/// The ID of this installation: 32 hexadecimal digits in the file `device-id` next to the queue file.
///
/// A file that cannot be read now is never overwritten, because the next start may be able to read it. A file without
/// an ID (after a kill or on a full disk) is replaced, and so is a file of another user.
package enum Installation {
    private static let length = 32

    /// Replaces the stored ID atomically.
    ///
    /// - Parameters:
    ///   - id: The new ID.
    ///   - directory: The directory of the outbox.
    /// - Returns: Whether the ID is stored.
    @discardableResult
    package static func write(_ id: String, directory: URL) -> Bool {
        do {
            try OwnFile.replace(path(in: directory), with: Array(id.utf8))
            return true
        } catch {
            return false
        }
    }

    /// Returns the stored ID.
    ///
    /// Does not create one.
    ///
    /// - Parameter directory: The directory of the outbox.
    /// - Returns: The ID, or `nil` if there is none.
    /// - Throws: The error if the file cannot be read now.
    package static func stored(in directory: URL) throws(OutboxError) -> String? { try read(path(in: directory)) }

    /// Deletes the stored ID.
    ///
    /// - Parameter directory: The directory of the outbox.
    /// - Returns: Whether no ID is stored any more.
    package static func remove(in directory: URL) -> Bool {
        unlink(path(in: directory)) == 0 || errno == ENOENT
    }

    /// Returns the path of the ID's file.
    package static func path(in directory: URL) -> String { directory.appendingPathComponent("device-id").path }

    /// Returns a new ID: 128 random bits as hexadecimal digits.
    package static func makeID(using random: inout some RandomNumberGenerator) -> String {
        Identity.makeDeviceID(using: &random)
    }

    /// Returns a new ID from the system's random number generator.
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
