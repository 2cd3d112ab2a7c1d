import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The installation's id: read from the directory, made if there is none, and stored once the user agrees.
struct StoredInstallation {
    /// The id of all events that were tracked before the opening, whatever reset came since.
    private(set) var opened = ""
    private var id = ""
    /// Whether the id may lie on the disk.
    private var isIdentified = false
    /// Whether the id was made when the one before was forgotten, and the user has not agreed to anything since.
    private var isForgotten = false
    private let makeID: () -> String

    init(makeID: @escaping () -> String) {
        self.makeID = makeID
    }

    /// Goes on with the stored id, or makes one if there is none.
    ///
    /// - Parameter isAllowed: Whether the user has agreed to any purpose; without it no id is put on the disk.
    mutating func open(_ stored: String?, in directory: URL?, isAllowed: Bool) {
        id = stored ?? makeID()
        (opened, isIdentified, isForgotten) = (id, isAllowed, false)
        if isAllowed, stored == nil, let directory { Installation.write(id, directory: directory) }
    }

    /// Puts the id on the disk, now that the user has agreed to a purpose.
    mutating func identify(in directory: URL?) {
        guard !isIdentified, !id.isEmpty else { return }
        (isIdentified, isForgotten) = (true, false)
        if let directory { Installation.write(id, directory: directory) }
    }

    /// Forgets the id, now that the user agrees to nothing any more; returns the one that follows, or `nil` if it was
    /// forgotten already.
    ///
    /// If a reset came since the opening, what was tracked before it gets another id than what comes now.
    mutating func forget(in directory: URL?) -> String? {
        if let directory { _ = Installation.remove(in: directory) }
        guard !isForgotten else { return nil }
        (isIdentified, isForgotten) = (false, true)
        let isReset = id != opened
        id = makeID()
        opened = isReset ? makeID() : id
        return id
    }

    /// Stores the id of the new installation after a reset; an empty id stands for the one that was opened.
    mutating func renew(_ current: String, in directory: URL?) {
        guard current != id, !current.isEmpty, !id.isEmpty else { return }
        (id, isForgotten) = (current, false)
        if isIdentified, let directory { Installation.write(current, directory: directory) }
    }

    /// Stores the id again if somebody has deleted it with the directory.
    func restore(in directory: URL?) {
        guard isIdentified, let directory, !OutboxDirectory.isRegularFile(Installation.path(in: directory)) else {
            return
        }
        Installation.write(id, directory: directory)
    }
}

/// The installation's id.
extension OutboxKeeper {
    /// Puts the id on the disk, now that the user has agreed to a purpose.
    func identify() {
        if !isUnavailable { installation.identify(in: held?.directory.url) }
    }

    /// Stores the id of the new installation after a reset; an empty id stands for the one that was opened.
    func renewInstallation(_ current: String) {
        if !isUnavailable { installation.renew(current, in: held?.directory.url) }
    }

    /// Forgets the id, now that the user agrees to nothing any more; returns the one that follows, or `nil` if it was
    /// forgotten already.
    func forgetInstallation() -> String? {
        installation.forget(in: isUnavailable ? nil : held?.directory.url)
    }
}
