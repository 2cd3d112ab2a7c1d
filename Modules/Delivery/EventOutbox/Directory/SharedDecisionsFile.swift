import CoreTracker
package import EventTracking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The decisions of an app, in a file that its extensions read.
///
/// Only the app writes it. The file is replaced as a whole, so a reader finds either the old or the new decisions.
package struct SharedDecisionsFile: Sendable, Equatable, Codable {
    /// The decision about a purpose.
    package struct Decision: Sendable, Equatable, Codable {
        package let purpose: String
        /// The raw value of the consent.
        let value: String
        /// The decision number of the last denial, or 0 if there was none.
        package let denial: UInt64

        init(_ purpose: String, _ decision: StateRow.Decision) {
            (self.purpose, value, denial) = (purpose, decision.consent.rawValue, decision.denial)
        }

        /// The consent, or `unknown` for a value of a later version.
        package var consent: Consent { Consent(rawValue: value) ?? .unknown }
    }

    /// An erasure.
    package struct Erasure: Sendable, Equatable, Codable {
        /// The decision number of the erasure.
        package let number: UInt64
        /// The user's hash, or `nil` for all users.
        let user: UInt64?

        init(_ user: UserHash?, number: UInt64) { (self.number, self.user) = (number, user?.rawValue) }

        /// The user's hash, or `nil` for all users.
        package var userHash: UserHash? { user.map(UserHash.init) }
    }

    /// The maximum number of erasures.
    ///
    /// Beyond it, one erasure of all users replaces them.
    static let maximumErasures = 256

    /// The greatest decision number of all decisions and erasures.
    package private(set) var number: UInt64 = 0
    /// The decisions, one for each purpose.
    package private(set) var decisions: [Decision] = []
    /// The erasures, in their order.
    ///
    /// They are kept, because the app does not know which extensions have applied them.
    package private(set) var erasures: [Erasure] = []
    /// The installation's id, which is shared only while the user agrees to some purpose.
    package private(set) var installation: String?

    package init() {}

    /// Creates the replacement of a damaged file, which may have contained any erasure.
    ///
    /// - Parameter number: The decision number of the erasure of all users.
    package init(erasingAllUsersAt number: UInt64) {
        self.number = number
        erasures = [Erasure(nil, number: number)]
    }

    /// Uses the app's stored decisions, and adds its pending erasures.
    ///
    /// - Parameter state: The stored decisions and pending erasures.
    package mutating func update(_ state: StateRow) {
        let known = erasures.last?.number ?? 0
        number = max(number, state.number)
        decisions = state.decisions.map { Decision($0.key, $0.value) }.sorted(by: \.purpose)
        installation = state.installation
        for (user, number) in state.erasing.sorted(by: \.value) where number > known {
            if user == nil { erasures = [] }
            erasures.removeAll { $0.user == user?.rawValue }
            erasures.append(Erasure(user, number: number))
        }
        guard erasures.count > SharedDecisionsFile.maximumErasures, let last = erasures.last else { return }
        erasures = [Erasure(nil, number: last.number)]
    }

    /// Reads a file.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The decisions, or `nil` if there is no file.
    /// - Throws: `OutboxError.corrupt` if the file is damaged, or the error of the file system.
    package static func read(_ path: String) throws(OutboxError) -> SharedDecisionsFile? {
        guard let bytes = try OwnFile.contents(of: path, limit: ChecksummedJSON.maximumBytes) else { return nil }
        guard let file = ChecksummedJSON.value(of: SharedDecisionsFile.self, in: bytes),
            file.number <= StateRow.greatestNumber,
            (file.decisions.map(\.denial) + file.erasures.map(\.number)).allSatisfy({ $0 <= file.number })
        else { throw .corrupt }
        return file
    }

    /// Replaces a file, which survives a power loss when the function returns.
    ///
    /// - Parameter path: The path of the file. Its folder is created if it does not exist.
    /// - Throws: The error of the file system. The old file is still there then.
    package func write(_ path: String) throws(OutboxError) {
        guard let bytes = ChecksummedJSON.bytes(of: self) else { return }
        let folder = try OutboxDirectory(URL(fileURLWithPath: path).deletingLastPathComponent())
        try OwnFile.replace(folder.path(of: OutboxDirectory.name(of: path)), with: bytes)
    }
}
