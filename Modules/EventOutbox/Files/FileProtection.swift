package import Foundation

/// Lets the outbox be used while the device is locked, and keeps it out of backups, where the platform has either.
package enum FileProtection {
    /// Protects a directory and what is made in it from now on.
    ///
    /// A failure changes nothing that correctness needs.
    package static func apply(to directory: URL) {
        #if canImport(Darwin)
        var directory = directory
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? directory.setResourceValues(values)
        #if !os(macOS)
        // A flush in the background must be able to read after the first unlock, not only while unlocked.
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
            ofItemAtPath: directory.path
        )
        #endif
        #endif
    }
}
