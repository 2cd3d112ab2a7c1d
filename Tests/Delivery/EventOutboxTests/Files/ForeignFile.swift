import EventTracking
import Foundation

@testable import EventOutbox

/// A kind of file at one of the library's paths that does not belong to this user alone.
enum ForeignFile: CaseIterable {
    case symbolicLink
    case hardLink
    case namedPipe
    case writableFile

    /// The trait in the library's error.
    var trait: OutboxError.ForeignTrait {
        switch self {
        case .symbolicLink, .namedPipe: .kind
        case .hardLink: .links
        case .writableFile: .permissions
        }
    }

    /// Creates the file at a path.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - target: The target of a link, or the file to copy.
    func create(at path: String, target: String) throws {
        switch self {
        case .symbolicLink: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
        case .hardLink: try FileManager.default.linkItem(atPath: target, toPath: path)
        case .namedPipe: guard unsafe mkfifo(path, 0o600) == 0 else { throw POSIXError(.EIO) }
        case .writableFile:
            try FileManager.default.copyItem(atPath: target, toPath: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: path)
        }
    }
}
