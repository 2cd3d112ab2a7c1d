import EventBuffer
import Foundation

@testable import EventOutbox

/// Something that stands where one of this library's files could be, and is not this user's own.
enum ForeignThing: CaseIterable {
    case symbolicLink
    case hardLink
    case namedPipe
    case writableFile

    /// What the library says of it.
    var trait: OutboxError.ForeignTrait {
        switch self {
        case .symbolicLink, .namedPipe: .kind
        case .hardLink: .links
        case .writableFile: .permissions
        }
    }

    /// Puts it at a path; a link leads to a file that has to stay as it is, a file holds that file's bytes.
    func put(at path: String, target: String) throws {
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
