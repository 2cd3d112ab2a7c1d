import CoreTracker
import EventBuffer

/// A component that deletes the events that erasures cover.
///
/// Each erasure is stored first, and stays pending until all bytes are deleted. The component is confined to the
/// store's executor.
final class StoredErasures {
    private let books: LaneBooks
    /// The pending erasures in order, each with the last event that this process had tracked at that time.
    ///
    /// IDs order only the events of one process, because clocks differ and are set back. So the first pass erases all
    /// stored events of the user. Later passes keep events that this process tracked after the request.
    private var owed: [(erasure: Erasure, last: EventID)] = []
    /// IDs that are lower and higher than the ID of any event.
    private static let (start, end) = (EventID(high: 0, low: 0), EventID(high: .max, low: .max))
    private(set) var known: UInt64 = 0
    /// Whether the pending erasures of earlier runs have been applied.
    private var isOpen = false
    /// Whether events that must be erased could still be sent.
    private var isBlocking = false

    init(_ books: LaneBooks) {
        self.books = books
    }

    /// Restores the stored erasures, and makes those that the previous process missed before new events are added.
    ///
    /// - Parameters:
    ///   - stored: The erasures in the erasure file.
    ///   - seen: The number of the last erasure before another process could use the directory, or `nil` if no other
    ///     process could. Later erasures also cover the buffered events of this process.
    func restore(_ stored: [Erasure], after seen: UInt64?) {
        take()
        for erasure in stored where erasure.number > seen ?? .max {
            if erasure.user == nil {
                books.buffer.identity.change {
                    $0.setUser(nil)
                    $0.deviceID = ""
                }
            }
            _ = books.buffer.erase(erasure.user)
            // This erasure is already stored.
            books.erasures += 1
        }
        owed.removeAll { $0.erasure.number > 0 }
        known = stored.map(\.number).max() ?? 0
        let missed = ErasureFile.missed(after: books.keeper.clearance?.erasure, of: stored)
        let isMissed = Set(missed.map(\.number))
        let leftovers = stored.filter { $0.isOwed && !isMissed.contains($0.number) }
        owed.insert(
            contentsOf: (missed + leftovers).map { erasure in
                // The events were deleted from the file, but some bytes of them may remain.
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

    /// Whether no stored event may be sent, because an erasure is not complete.
    var isBehind: Bool { isBlocking || books.buffer.withLanes { $0.erasures.count } > books.erasures }

    /// Makes the erasures requested since the last call.
    ///
    /// - Returns: The number of erased events.
    /// - Throws: The error if some data could not be deleted yet. Its deletion stays pending.
    func apply() throws(OutboxError) -> Int {
        isOpen = true
        let (count, failure) = erase(after: takeUp())
        if let failure { throw failure }
        return count
    }

    /// Retries pending erasures.
    func retry() {
        _ = erase(after: isUnstored ? takeUp() : nil)
    }

    /// Stores and makes the erasures that could not be stored earlier.
    func storeLate() {
        guard !books.isStopped, isUnstored, takeUp() == nil else { return }
        _ = erase(after: nil)
    }

    /// Whether an erasure could not be stored yet.
    private var isUnstored: Bool {
        books.keeper.directory != nil && owed.contains { $0.erasure.number == 0 }
    }

    /// Adds the erasures requested since the last call, and stores those that are not stored yet.
    ///
    /// - Returns: The error if they cannot be stored now.
    private func takeUp() -> OutboxError? {
        take()
        return store()
    }

    private func take() {
        let asked = books.buffer.withLanes { Array($0.erasures.dropFirst(books.erasures)) }
        books.erasures += asked.count
        owed += asked.map { (Erasure(user: $0.user, last: StoredErasures.end), $0.last) }
        if asked.contains(where: { $0.user == nil }) {
            books.keeper.renewInstallation(books.buffer.identity.value.deviceID)
        }
    }

    private func store() -> OutboxError? {
        guard books.keeper.directory != nil else { return nil }
        for index in owed.indices where owed[index].erasure.number == 0 {
            let all = Erasure(user: owed[index].erasure.user, last: StoredErasures.end)
            do throws(OutboxError) {
                known = try books.keeper.remember(all, after: known)
                owed[index].erasure.number = known
            } catch {
                return error
            }
        }
        return nil
    }

    /// Makes the pending erasures.
    ///
    /// - Parameter unstored: The error because of which an erasure is not stored yet, if any.
    /// - Returns: The number of erased events, and the error if some data could not be deleted or an erasure not be
    ///   stored.
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
            // If this cannot be stored, the next start finds nothing left to erase.
            if !numbers.isEmpty { try? books.keeper.settle(numbers) }
            owed = unstored == nil ? [] : owed.filter { $0.erasure.number == 0 }
        }
        books.lanes.publish(books.lanes.indices)
        books.finishTurn()
        return (count, obstacle ?? unstored)
    }

    /// Stores in the queue file which erasures have been applied to it.
    private func noteKnown() {
        // If the file's record is lost, its denials are known only after all denials have been applied to it.
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
        // The events in memory are erased even if the disk fails. Another attempt must not erase later events.
        books.lanes.queues = queues
        owed[position].erasure.last = erasure.number > 0 ? StoredErasures.start : owed[position].last
        defer {
            for index in queues.indices {
                books.lanes[index].refreshHead(from: books.keeper.outbox)
                tell(erased[index].count, lane: index)
            }
            books.statuses.forget(Array(erased.joined()))
            if erasure.user == nil { books.statuses.forget(Set(books.lanes.queues.map(\.id))) }
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
