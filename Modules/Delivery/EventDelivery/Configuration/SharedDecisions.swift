import CoreTracker
public import EventTracking

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A file through which an app passes the user's decisions to its extensions.
///
/// The app and each extension have separate directories. Only the app asks the user. Its engine writes the decisions to
/// this file, and the engines of its extensions apply them.
///
/// ```swift
/// let shared = SharedDecisions(file: container.appending(path: "tracking/shared"))
/// var configuration = DeliveryConfiguration(directory: directory, destinations: destinations)
/// configuration.sharing = .publish(shared)  // in an extension: .follow(shared)
/// ```
public struct SharedDecisions: Sendable, Equatable {
    /// The file, in a container shared by the app and its extensions.
    public let file: URL

    var path: String { file.path }

    /// Creates a value for a file.
    ///
    /// - Parameter file: The file. The app creates it, and its folder.
    public init(file: URL) {
        self.file = file
    }
}

/// The part of an engine in the exchange of decisions between an app and its extensions.
public enum DecisionSharing: Sendable, Equatable {
    /// The engine of the app writes its stored decisions to the file.
    case publish(SharedDecisions)
    /// The engine of an extension applies the app's decisions from the file.
    ///
    /// It reads the file when it opens its directory, and at each flush and storing. If the file is missing or cannot
    /// be read, it sends nothing.
    case follow(SharedDecisions)
}

/// An error of directories to which an app's decisions could not be applied.
public struct SharedDecisionsError: Error, Equatable, Sendable {
    /// The error of each directory.
    ///
    /// It is `directoryInUse` while an extension uses the directory.
    public let failures: [URL: OutboxError]
}

extension SharedDecisionsError: CustomStringConvertible {
    public var description: String {
        failures.map { "the decisions could not be applied to \($0.key.path): \($0.value)" }.sorted(by: \.self)
            .joined(separator: "\n")
    }
}
