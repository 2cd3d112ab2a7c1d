import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The installation's ID.
///
/// It is read from the directory, or created if there is none. It is stored once the user agrees to a purpose.
struct StoredInstallation {
    /// The ID of all events that were tracked before the opening, even if a reset followed.
    private(set) var opened = ""
    private var id = ""
    /// Whether the ID may be stored on disk.
    private var isIdentified = false
    /// Whether the ID replaced a forgotten one, and the user has not agreed to a purpose since.
    private var isForgotten = false
    private let makeID: () -> String

    init(makeID: @escaping () -> String) {
        self.makeID = makeID
    }

    /// Uses the stored ID, or creates one if there is none.
    ///
    /// - Parameters:
    ///   - stored: The stored ID, if any.
    ///   - directory: The directory, or `nil` if events are kept in memory only.
    ///   - isAllowed: Whether the user has agreed to any purpose. Otherwise no ID is stored.
    mutating func open(_ stored: String?, in directory: URL?, isAllowed: Bool) {
        id = stored ?? makeID()
        (opened, isIdentified, isForgotten) = (id, isAllowed, false)
        if isAllowed, stored == nil, let directory { Installation.write(id, directory: directory) }
    }

    /// Stores the ID after the user has agreed to a purpose.
    mutating func identify(in directory: URL?) {
        guard !isIdentified, !id.isEmpty else { return }
        (isIdentified, isForgotten) = (true, false)
        if let directory { Installation.write(id, directory: directory) }
    }

    /// Deletes the ID because the user no longer agrees to any purpose.
    ///
    /// If a reset happened since the opening, events from before and after it get different IDs.
    ///
    /// - Returns: The new ID, or `nil` if the ID was already deleted.
    mutating func forget(in directory: URL?) -> String? {
        if let directory { _ = Installation.remove(in: directory) }
        guard !isForgotten else { return nil }
        (isIdentified, isForgotten) = (false, true)
        let isReset = id != opened
        id = makeID()
        opened = isReset ? makeID() : id
        return id
    }

    /// Stores the ID of the new installation after a reset.
    ///
    /// An empty ID means the one that was opened.
    mutating func renew(_ current: String, in directory: URL?) {
        guard current != id, !current.isEmpty, !id.isEmpty else { return }
        (id, isForgotten) = (current, false)
        if isIdentified, let directory { Installation.write(current, directory: directory) }
    }

    /// Stores the ID again if its file was deleted together with the directory.
    func restore(in directory: URL?) {
        guard isIdentified, let directory, !OutboxDirectory.isRegularFile(Installation.path(in: directory)) else {
            return
        }
        Installation.write(id, directory: directory)
    }
}

/// Access to the installation's ID.
extension OutboxKeeper {
    /// Stores the ID after the user has agreed to a purpose.
    func identify() {
        if !isUnavailable { installation.identify(in: held?.directory.url) }
    }

    /// Stores the ID of the new installation after a reset.
    ///
    /// An empty ID means the one that was opened.
    func renewInstallation(_ current: String) {
        if !isUnavailable { installation.renew(current, in: held?.directory.url) }
    }

    /// Deletes the ID because the user no longer agrees to any purpose.
    ///
    /// If a reset happened since the opening, events from before and after it get different IDs.
    ///
    /// - Returns: The new ID, or `nil` if the ID was already deleted.
    func forgetInstallation() -> String? {
        installation.forget(in: isUnavailable ? nil : held?.directory.url)
    }
}
