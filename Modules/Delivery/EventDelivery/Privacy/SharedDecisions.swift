import CoreTracker
import EventOutbox
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
public struct SharedDecisions: Sendable, Hashable {
    /// The file, in a container shared by the app and its extensions.
    public let file: URL

    /// Creates a value for a file.
    ///
    /// - Parameter file: The file. The app creates it, and its folder.
    public init(file: URL) {
        self.file = file
    }

    /// Applies the app's decisions to the directories of extensions, and deletes the covered events.
    ///
    /// Call it in the app after a denial or an erasure, so no byte of the events is left in the directories of
    /// extensions that are not running. The work on each directory takes as long as `DeliveryEngine.setConsent` takes
    /// for a denial. Missing directories are left out.
    ///
    /// - Parameter directories: The directories of the extensions.
    /// - Throws: ``SharedDecisionsError`` with the directories to which the decisions could not be applied. If an
    ///   extension uses one of them, it applies the decisions at its next flush, or when it enters the foreground.
    public func apply(to directories: [URL]) async throws(SharedDecisionsError) {
        var failures: [URL: OutboxError] = [:]
        for directory in directories where FileManager.default.fileExists(atPath: directory.path) {
            var configuration = DeliveryConfiguration(directory: directory, destinations: [])
            configuration.sharing = .follow(self)
            let store = DeliveryStore(
                buffer: EventBuffer(clock: SystemClock(), eventTime: nil, capacity: 1),
                configuration: configuration
            )
            await store.start()
            do throws(OutboxError) { try await store.finishDeletion() } catch { failures[directory] = error }
            await store.stop()
        }
        guard failures.isEmpty else { throw SharedDecisionsError(failures: failures) }
    }
}

/// The part of an engine in the exchange of decisions between an app and its extensions.
public enum DecisionSharing: Sendable, Hashable {
    /// The engine of the app writes its stored decisions to the file.
    case publish(SharedDecisions)
    /// The engine of an extension applies the app's decisions from the file.
    ///
    /// It reads the file when it opens its directory, and at each flush and storing. If the file is missing or cannot
    /// be read, it sends nothing.
    case follow(SharedDecisions)
}

/// An error of directories to which an app's decisions could not be applied.
public struct SharedDecisionsError: Error, Hashable, Sendable {
    /// The error of each directory.
    ///
    /// It is `directoryInUse` while an extension uses the directory.
    public let failures: [URL: OutboxError]
}

extension SharedDecisionsError: CustomStringConvertible {
    public var description: String {
        failures.map { "the decisions could not be applied to \($0.key.path): \($0.value)" }.sorted()
            .joined(separator: "\n")
    }
}

/// The exchange of decisions between an app's engine and its extensions' engines.
///
/// It is confined to the store's executor.
final class DecisionExchange {
    private let sharing: DecisionSharing?
    /// The contents of the file, as this process has read or written them last.
    private var file: SharedDecisionsFile?
    /// The greatest decision number of the app applied by this process.
    private(set) var followed: UInt64 = 0
    /// The error of the last access to the file, or `nil`.
    private(set) var failure: OutboxError?

    init(_ sharing: DecisionSharing?) {
        self.sharing = sharing
    }

    /// Whether this engine follows an app whose decisions it cannot read.
    var lacksDecisions: Bool {
        if case .follow = sharing { failure != nil } else { false }
    }

    /// The installation's id of the app, or `nil`.
    var installation: String? {
        if case .follow = sharing { file?.installation } else { nil }
    }

    // MARK: In the app

    /// Continues the decision numbers above the numbers in the file, if this engine is the app's.
    ///
    /// - Parameter row: The stored decisions.
    func continueNumbers(_ row: inout StateRow) {
        guard case .publish = sharing else { return }
        readPublished(row)
        row.number = max(row.number, file?.number ?? 0)
    }

    /// Writes the stored decisions to the file, unless it has them.
    ///
    /// - Parameter row: The stored decisions.
    /// - Throws: The error of the file system. The file is written later.
    func publish(_ row: StateRow) throws(OutboxError) {
        guard case .publish(let shared) = sharing else { return }
        readPublished(row)
        do throws(OutboxError) {
            guard var next = file else { throw failure ?? .missing }
            next.update(row)
            if next != file || failure != nil { try next.write(shared.file.path) }
            (file, failure) = (next, nil)
        } catch {
            failure = error
            throw error
        }
    }

    private func readPublished(_ row: StateRow) {
        guard case .publish(let shared) = sharing, file == nil else { return }
        do throws(OutboxError) {
            file = try SharedDecisionsFile.read(shared.file.path) ?? SharedDecisionsFile()
        } catch .corrupt {
            file = SharedDecisionsFile(erasingAllUsersAt: row.number + 1)
        } catch {
            failure = error
        }
    }

    // MARK: In an extension

    /// Reads the app's decisions, and returns the decisions not yet applied, if this engine follows an app.
    ///
    /// - Parameter row: The stored decisions of this engine.
    /// - Returns: The decisions, in the order in which they apply: the denials first.
    func newDecisions(_ row: StateRow) -> [PrivacyDecision.Kind] {
        guard case .follow(let shared) = sharing else { return [] }
        followed = max(followed, row.followed)
        do throws(OutboxError) {
            guard let read = try SharedDecisionsFile.read(shared.file.path) else { throw .missing }
            (file, failure) = (read, nil)
            defer { followed = max(followed, read.number) }
            return decisions(in: read, row)
        } catch {
            failure = error
            return []
        }
    }

    private func decisions(in file: SharedDecisionsFile, _ row: StateRow) -> [PrivacyDecision.Kind] {
        var kinds: [PrivacyDecision.Kind] = []
        for decision in file.decisions {
            let purpose = ConsentPurpose(decision.purpose)
            let isDenied = decision.denial > followed
            if isDenied { kinds.append(.consent(purpose, .denied)) }
            let known = isDenied ? .denied : row.decisions[decision.purpose]?.consent ?? .unknown
            if decision.consent != known { kinds.append(.consent(purpose, decision.consent)) }
        }
        return kinds + file.erasures.filter { $0.number > followed }.map { .erasure($0.userHash) }
    }
}

extension DeliveryConfiguration {
    /// The configuration, in which only the app decides if the engine follows one.
    var withoutOwnDecisionsIfFollowing: DeliveryConfiguration {
        guard case .follow = sharing else { return self }
        var configuration = self
        (configuration.consent, configuration.defaultConsent) = ([:], .unknown)
        return configuration
    }
}
