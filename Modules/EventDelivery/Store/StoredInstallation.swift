import EventBuffer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The installation's id: read from the directory, made where there is none, and stored once the user agrees.
struct StoredInstallation {
    /// The id of all events that were tracked before the opening, whatever reset came since.
    private(set) var opened = ""
    private var id = ""
    /// Whether the id may lie on the disk.
    private var isIdentified = false
    /// Whether the id was made because the stored one could not be read, as before the device's first unlock.
    private var isProvisional = false
    /// Whether the id was made when the one before was forgotten, and the user has not agreed to anything since.
    private var isForgotten = false
    private let makeID: () -> String

    init(makeID: @escaping () -> String) {
        self.makeID = makeID
    }

    /// Reads the id, or makes one where there is none.
    ///
    /// - Parameter isAllowed: Whether the user has agreed to any purpose; without it no id is put on the disk.
    mutating func open(in directory: URL?, isAllowed: Bool) {
        (isIdentified, isForgotten) = (isAllowed, false)
        defer { opened = id }
        guard let directory else {
            id = makeID()
            return
        }
        if isAllowed {
            let installation = Installation(directory: directory, makeID: makeID)
            (id, isProvisional) = (installation.id, installation.isProvisional)
        } else {
            do throws(OutboxError) {
                id = try Installation.stored(in: directory) ?? makeID()
            } catch {
                (id, isProvisional) = (makeID(), true)
            }
        }
    }

    /// Takes the stored id in the place of a provisional one, which it returns, once it can be read.
    ///
    /// Where none is stored after all, the provisional one is the installation's.
    mutating func settle(in directory: URL?) -> String? {
        guard isProvisional, let directory else { return nil }
        let stored: String?
        do throws(OutboxError) {
            stored = try Installation.stored(in: directory)
        } catch {
            return nil
        }
        guard let stored else {
            isProvisional = isIdentified && !Installation.write(id, directory: directory)
            return nil
        }
        defer { (id, opened, isProvisional) = (stored, stored, false) }
        return id
    }

    /// Puts the id on the disk, now that the user has agreed to a purpose.
    mutating func identify(in directory: URL?) {
        guard !isIdentified else { return }
        (isIdentified, isForgotten) = (true, false)
        // A provisional one must not take the place of one that cannot be read for now.
        if !isProvisional, let directory { Installation.write(id, directory: directory) }
    }

    /// Forgets the id, now that the user agrees to nothing any more; returns the one that follows, or `nil` where it
    /// was forgotten already.
    ///
    /// Where a reset came since the opening, what was tracked before it gets another id than what comes now.
    mutating func forget(in directory: URL?) -> String? {
        if let directory { _ = Installation.remove(in: directory) }
        guard !isForgotten else { return nil }
        (isIdentified, isProvisional, isForgotten) = (false, false, true)
        let isReset = id != opened
        id = makeID()
        opened = isReset ? makeID() : id
        return id
    }

    /// Stores the id of the new installation after a reset; an empty id stands for the one that was opened.
    mutating func renew(_ current: String, in directory: URL?) {
        guard current != id, !current.isEmpty else { return }
        (id, isProvisional, isForgotten) = (current, false, false)
        if isIdentified, let directory { Installation.write(current, directory: directory) }
    }

    /// Stores the id again where somebody has deleted it with the directory.
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
        if !isSuspended { installation.identify(in: installationDirectory) }
    }

    /// Takes over the id that another process has given the installation; returns it.
    func rereadInstallation() -> String {
        installation.open(in: isSuspended ? nil : installationDirectory, isAllowed: false)
        return installation.opened
    }

    /// Stores the id of the new installation after a reset; an empty id stands for the one that was opened.
    func renewInstallation(_ current: String) {
        if !isSuspended { installation.renew(current, in: installationDirectory) }
    }

    /// Takes the stored id in the place of a provisional one, which it returns, once it can be read.
    func settleInstallation() -> String? {
        isSuspended ? nil : installation.settle(in: installationDirectory)
    }

    /// Forgets the id, now that the user agrees to nothing any more; returns the one that follows, or `nil` where it
    /// was forgotten already.
    func forgetInstallation() -> String? {
        installation.forget(in: isSuspended ? nil : installationDirectory)
    }

    /// The outbox's directory with its links resolved, where it could be opened.
    var installationDirectory: URL? { file?.directory.url ?? directory }
}
