public import EventDelivery
public import Foundation

/// The directories of an app and its extensions in the container of an App Group.
///
/// Each process has a directory, because one process uses a directory at a time. The app passes the user's decisions to
/// the extensions through a file in the container.
///
/// ```swift
/// let container = TrackingContainer(groupContainer)
/// var configuration = DeliveryConfiguration(directory: container.directory(of: .app), destinations: destinations)
/// configuration.sharing = container.sharing(of: .app)
/// try await delivery.open(configuration)
/// ```
public struct TrackingContainer: Sendable, Hashable {
    /// A process that tracks.
    public enum Member: Sendable, Hashable {
        /// The app, which asks the user.
        case app
        /// An extension, by a name such as `widget`.
        ///
        /// A `/` in the name is replaced.
        case `extension`(String)
    }

    private let folder: URL

    /// Creates a value for a container.
    ///
    /// - Parameter container: The URL from `FileManager.containerURL(forSecurityApplicationGroupIdentifier:)`.
    public init(_ container: URL) {
        folder = container.appendingPathComponent("tracking", isDirectory: true)
    }

    /// The file with the app's decisions.
    public var decisions: SharedDecisions {
        SharedDecisions(file: folder.appendingPathComponent("shared", isDirectory: false))
    }

    /// Returns the directory for the engine of a process.
    ///
    /// - Parameter member: The process.
    /// - Returns: The directory. The engine creates it.
    public func directory(of member: Member) -> URL {
        switch member {
        case .app: folder.appendingPathComponent("app", isDirectory: true)
        case .extension(let name):
            extensions.appendingPathComponent(name.replacingOccurrences(of: "/", with: "_"), isDirectory: true)
        }
    }

    /// Returns the part of a process in the exchange of decisions, for `DeliveryConfiguration.sharing`.
    ///
    /// - Parameter member: The process.
    /// - Returns: `publish` for the app, and `follow` for an extension.
    public func sharing(of member: Member) -> DecisionSharing {
        member == .app ? .publish(decisions) : .follow(decisions)
    }

    /// The directories of the extensions that have tracked, in the order of their names.
    public var extensionDirectories: [URL] {
        let found = try? FileManager.default.contentsOfDirectory(at: extensions, includingPropertiesForKeys: nil)
        return (found ?? []).sorted { $0.path < $1.path }
    }

    private var extensions: URL { folder.appendingPathComponent("extensions", isDirectory: true) }
}
