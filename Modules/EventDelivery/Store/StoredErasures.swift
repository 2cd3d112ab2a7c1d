import CoreTracker
import EventBuffer

/// Deletes the events that erasures cover: each erasure is stored first, and stays pending until no byte is left.
///
/// It is confined to the store's executor.
final class StoredErasures {
    private let books: LaneBooks
    /// Pending erasures in order, each with the last event of this process that had been tracked then.
    ///
    /// Ids order the events of one process alone, since clocks differ and are set back. So everything that is found of
    /// a user at first is erased; from then on, what this process has tracked later stays.
    private var owed: [(erasure: ErasureFile.Erasure, last: EventID)] = []
    /// Ids before and after those of all events.
    private static let (start, end) = (EventID(high: 0, low: 0), EventID(high: .max, low: .max))
    /// The greatest number of a stored erasure.
    private(set) var known: UInt64 = 0
    /// Whether everything that an earlier run has left pending has been applied.
    private var isOpen = false
    /// Whether stored events that are to be erased could still be sent.
    private var isBlocking = false

    init(_ books: LaneBooks) {
        self.books = books
    }

    /// Restores the stored erasures, and erases from the queue file what the process before has not, before anything is
    /// added to it.
    ///
    /// - Parameter seen: The last erasure before another process could use the directory; `nil` if none could. The
    ///   buffered events of users whose events it has erased since are erased, too.
    func restore(_ stored: [ErasureFile.Erasure], after seen: UInt64?) {
        take()
        for erasure in stored where erasure.number > seen ?? .max {
            if erasure.user == nil {
                books.intake.identity.change {
                    $0.setUser(nil)
                    $0.deviceID = ""
                }
            }
            _ = books.intake.erase(erasure.user)
            // It is stored already.
            books.erasures += 1
        }
        owed.removeAll { $0.erasure.number > 0 }
        known = stored.map(\.number).max() ?? 0
        let missed = ErasureFile.missed(after: books.keeper.clearance?.erasure, of: stored)
        let isMissed = Set(missed.map(\.number))
        let leftovers = stored.filter { $0.isOwed && !isMissed.contains($0.number) }
        owed.insert(
            contentsOf: (missed + leftovers).map { erasure in
                // The file was cleared of its events; what may be left are bytes of them.
                var erasure = erasure
                if !isMissed.contains(erasure.number) { erasure.last = StoredErasures.start }
                return (erasure, StoredErasures.start)
            },
            at: 0
        )
        guard !missed.isEmpty else { return }
        if missed.contains(where: { $0.user == nil }) { _ = books.keeper.forgetInstallation() }
        _ = try? eraseOwed()
    }

    /// Whether no stored event may be sent: something is still to be erased, or could not be found.
    var isBehind: Bool { isBlocking || books.intake.withLanes { $0.erasures.count } > books.erasures }

    /// Erases what was asked for since; returns how many events.
    ///
    /// Throws why bytes could not be deleted yet; they are as soon as they can be.
    func apply() throws(OutboxError) -> Int {
        isOpen = true
        let (count, failure) = erase(after: takeUp())
        if let failure { throw failure }
        return count
    }

    /// Tries again what could not be done when it was asked for.
    func retry() {
        _ = erase(after: isUnstored ? takeUp() : nil)
    }

    /// Stores what could not be stored when it was asked for, once that can be done.
    func storeLate() {
        guard !books.isStopped, isUnstored, takeUp() == nil else { return }
        _ = erase(after: nil)
    }

    /// Whether an erasure could not be stored yet.
    private var isUnstored: Bool {
        books.keeper.directory != nil && owed.contains { $0.erasure.number == 0 }
    }

    /// Takes what was asked for since, and stores what is not stored yet; returns why that cannot be done for now.
    private func takeUp() -> OutboxError? {
        take()
        return store()
    }

    private func take() {
        let asked = books.intake.withLanes { Array($0.erasures.dropFirst(books.erasures)) }
        books.erasures += asked.count
        owed += asked.map { (ErasureFile.Erasure(user: $0.user, last: StoredErasures.end), $0.last) }
        if asked.contains(where: { $0.user == nil }) {
            books.keeper.renewInstallation(books.intake.identity.value.deviceID)
        }
    }

    private func store() -> OutboxError? {
        guard books.keeper.directory != nil else { return nil }
        for index in owed.indices where owed[index].erasure.number == 0 {
            let all = ErasureFile.Erasure(user: owed[index].erasure.user, last: StoredErasures.end)
            do throws(OutboxError) {
                known = try books.keeper.remember(all, after: known)
                owed[index].erasure.number = known
            } catch {
                return error
            }
        }
        return nil
    }

    /// Deletes what is pending; returns how many events that were, and why some could not be deleted, or it not be
    /// stored.
    private func erase(after unstored: OutboxError?) -> (count: Int, failure: OutboxError?) {
        guard !books.isStopped else { return (0, nil) }
        guard !owed.isEmpty else {
            noteKnown()
            return (0, nil)
        }
        let (count, leftover): (Int, OutboxError?)
        do throws(OutboxError) {
            (count, leftover) = try eraseOwed()
        } catch {
            return (0, error)
        }
        let obstacle = leftover ?? books.keeper.removeDamaged() ?? books.keeper.unreachable
        if obstacle == nil {
            let numbers = Set(owed.map(\.erasure).filter { $0.isOwed && $0.number > 0 }.map(\.number))
            // If that cannot be stored, the next start finds nothing left to erase.
            if !numbers.isEmpty { try? books.keeper.settle(numbers) }
            owed = unstored == nil ? [] : owed.filter { $0.erasure.number == 0 }
        }
        books.lanes.publish(books.lanes.indices)
        books.finishTurn()
        return (count, obstacle ?? unstored)
    }

    /// Records in the file which erasures have been applied to it.
    private func noteKnown() {
        // Which denials have reached a file whose record is lost is known only once it is cleared of all.
        guard books.keeper.clearance != nil || isOpen && books.keeper.isApplied(in: books.lanes) else { return }
        let denials = books.keeper.clearance?.denials ?? books.keeper.denials
        books.keeper.note(Clearance(erasure: known, denials: denials), lanes: &books.lanes)
    }

    private func eraseOwed() throws(OutboxError) -> (count: Int, leftover: OutboxError?) {
        isBlocking = true
        var (count, leftover) = (0, OutboxError?.none)
        do throws(OutboxError) {
            for index in owed.indices {
                let erased = try erase(at: index)
                (count, leftover) = (count + erased.count, leftover ?? erased.leftover)
            }
        } catch {
            books.keeper.failed(error)
            throw error
        }
        isBlocking = false
        noteKnown()
        return (count, leftover)
    }

    private func erase(at position: Int) throws(OutboxError) -> (count: Int, leftover: OutboxError?) {
        let erasure = owed[position].erasure
        var (queues, change, erased) = (books.lanes.queues, LaneChange(), [[EventID]]())
        let outbox = books.keeper.outbox
        for index in queues.indices { erased.append(try queues[index].erase(erasure, from: outbox, change: &change)) }
        // Memory is done, even if the disk refuses: another attempt must not erase what comes from now on.
        books.lanes.queues = queues
        owed[position].erasure.last = erasure.number > 0 ? StoredErasures.start : owed[position].last
        defer {
            for index in queues.indices {
                books.lanes[index].refreshHead(from: books.keeper.outbox)
                tell(erased[index].count, lane: index)
            }
            books.fates.forget(Array(erased.joined()))
            if erasure.user == nil { books.fates.forget(Set(books.lanes.queues.map(\.id))) }
        }
        for id in erased.joined() { books.keeper.note(.erased, of: id) }
        do throws(OutboxError) {
            let leftover = try books.keeper.purge([], with: change.outbox)
            if leftover == nil { books.keeper.confirm(erased.joined(), .lost(.erased)) }
            return (erased.joined().count, leftover)
        } catch {
            books.keeper.failed(error)
            return (erased.joined().count, error)
        }
    }

    private func tell(_ count: Int, lane index: Int) {
        guard count > 0 else { return }
        books.diagnostics.send(.dropped(lane: books.lanes[index].id, reason: .erased, count: count))
    }
}
