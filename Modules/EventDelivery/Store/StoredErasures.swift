import CoreTracker
import EventBuffer

/// Deletes what somebody has asked to erase: stored first, then done, and owed until no byte is left.
///
/// It is confined to the store's executor.
final class StoredErasures {
    private let books: LaneBooks
    /// What is still to be done, in order, each with the last event of this process that had been tracked then.
    ///
    /// Ids order the events of one process alone, since clocks differ and are set back. So all that is found of a user
    /// at first is erased; from then on, what this process has tracked later stays.
    private var owed: [(erasure: ErasureFile.Erasure, last: EventID)] = []
    /// Ids before and after those of all events.
    private static let (start, end) = (EventID(high: 0, low: 0), EventID(high: .max, low: .max))
    /// The number up to which this process knows what the directory's processes were asked to erase; `nil` while that
    /// cannot be read.
    private var known: UInt64?
    /// The numbers above that one of erasures that this process itself was asked for.
    private var own: Set<UInt64> = []
    /// Whether what an earlier run has left has been brought in line with what the user says.
    private var isOpen = false
    /// Whether the file that was taken up could be cleared of what it had missed.
    private var isCleared = true
    /// Whether stored events that are to be erased could still be sent.
    private var isBlocking = false

    init(_ books: LaneBooks) {
        self.books = books
    }

    /// Takes up what an earlier run was asked to erase and has not, before anything is opened.
    ///
    /// - Parameter isLate: Whether it could not be read at the opening. What has been tracked since may have been meant
    ///   by what is still owed; nobody can tell for what is done.
    func open(isLate: Bool = false) {
        guard let stored = books.keeper.storedErasures() else { return }
        owed += stored.filter(\.isOwed).map { erasure in
            guard !isLate else { return (erasure, books.intake.ids.latest) }
            // Each file is cleared of it where it is taken up or over; what may be left are bytes of what was deleted.
            var erasure = erasure
            erasure.last = StoredErasures.start
            return (erasure, StoredErasures.start)
        }
        known = stored.map(\.number).max() ?? 0
        if let known, books.keeper.file == nil {
            books.keeper.clearance = Clearance(erasure: known, denials: books.keeper.denials)
        }
        if owed.contains(where: { $0.erasure.user == nil }) { _ = books.keeper.forgetInstallation() }
    }

    /// Erases what the process before has not from the file that is taken up, before anything is added to it.
    func clearOwn() {
        guard let directory = books.keeper.outboxDirectory else { return }
        guard let missed = try? ErasureFile.missed(after: books.keeper.clearance?.erasure, in: directory) else {
            return isCleared = false
        }
        guard !missed.isEmpty else { return }
        owed = owed.filter { owed in !missed.contains { $0.number == owed.erasure.number } }
        owed += missed.map { ($0, StoredErasures.start) }
        _ = try? eraseOwed()
    }

    /// Takes over what another process that uses the directory was asked to erase.
    ///
    /// Returns whether anything was to be erased, for which files of ended processes may have been taken over.
    func learn() -> Bool {
        var isNews = false
        if known == nil, !books.keeper.isSuspended {
            open(isLate: true)
            if known != nil { retry() }
            isNews = known != nil
        }
        guard takeOver() else { return isNews }
        _ = try? apply()
        return true
    }

    /// Takes over what other processes were asked to erase, without erasing it yet; `false` where there is nothing new.
    private func takeOver() -> Bool {
        guard let known, let stored = books.keeper.newErasures() else { return false }
        let last = stored.map(\.number).max() ?? 0
        // Where the list was damaged and has been replaced, the numbers start again.
        let new = stored.filter { $0.number > (last < known ? 0 : known) && !own.contains($0.number) }
        (self.known, own) = (last, [])
        // What is tracked meanwhile may not carry the old id.
        if new.contains(where: { $0.user == nil }) {
            let id = books.keeper.rereadInstallation()
            books.intake.identity.change {
                $0.setUser(nil)
                $0.deviceID = id
            }
        }
        for erasure in new { books.intake.learn(erasure) }
        return !new.isEmpty
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

    /// Whether this process was asked for something of which no other process can learn yet.
    private var isUnstored: Bool {
        books.keeper.directory != nil && owed.contains { $0.erasure.number == 0 }
    }

    /// Takes what was asked for since, here or in another process, and stores what is not stored yet; returns why that
    /// cannot be done for now.
    private func takeUp() -> OutboxError? {
        var obstacle: OutboxError?
        repeat {
            take()
            obstacle = store()
        } while takeOver()
        return obstacle
    }

    private func take() {
        let asked = books.intake.withLanes { Array($0.erasures.dropFirst(books.erasures)) }
        books.erasures += asked.count
        owed += asked.map { erasure in
            let isOwn = erasure.number == 0
            // The process that was asked for it says when it is done.
            let all = ErasureFile.Erasure(
                user: erasure.user,
                last: StoredErasures.end,
                number: erasure.number,
                isOwed: isOwn
            )
            return (all, isOwn ? erasure.last : books.intake.ids.latest)
        }
        if asked.contains(where: { $0.user == nil && $0.number == 0 }) {
            books.keeper.renewInstallation(books.intake.identity.value.deviceID)
        }
    }

    /// Stores what this process was asked for, so that it is owed and other processes learn of it.
    private func store() -> OutboxError? {
        guard books.keeper.directory != nil else { return nil }
        for index in owed.indices where owed[index].erasure.number == 0 {
            let all = ErasureFile.Erasure(user: owed[index].erasure.user, last: StoredErasures.end)
            do throws(OutboxError) {
                let number = try books.keeper.remember(all, after: known ?? 0)
                owed[index].erasure.number = number
                own.insert(number)
            } catch {
                return error
            }
        }
        return nil
    }

    /// Deletes what is owed; returns how many events that were, and why some could not be deleted, or it not be stored.
    private func erase(after unstored: OutboxError?) -> (count: Int, failure: OutboxError?) {
        guard !books.isStopped else { return (0, nil) }
        guard !owed.isEmpty else {
            noteKnown()
            return (0, nil)
        }
        // It reaches what ended processes have left, too: what is stored, as far as each has not done it itself.
        let before = books.keeper.erasedOnAdoption
        var unlisted = unstored == nil ? nil : books.keeper.adoptAll(lanes: &books.lanes)
        let (erased, leftover): (Int, OutboxError?)
        do throws(OutboxError) {
            (erased, leftover) = try eraseOwed()
        } catch {
            return (books.keeper.erasedOnAdoption - before, error)
        }
        if unstored == nil { unlisted = books.keeper.adoptAll(lanes: &books.lanes) }
        let count = erased + books.keeper.erasedOnAdoption - before
        // A file that this process cannot read is left to the program or the start that can.
        let obstacle = leftover ?? unlisted ?? books.keeper.unreachable ?? books.keeper.beyondReach
        if obstacle == nil {
            let numbers = Set(owed.map(\.erasure).filter { $0.isOwed && $0.number > 0 }.map(\.number))
            // Where the note cannot be written, the next start finds nothing left to erase.
            if !numbers.isEmpty { try? books.keeper.settle(numbers) }
            owed = unstored == nil ? [] : owed.filter { $0.erasure.number == 0 }
        }
        books.lanes.publish(books.lanes.indices)
        books.finishTurn()
        return (count, obstacle ?? unstored)
    }

    /// Notes in the file how far it is cleared of what was to be erased: a process that is killed before it has learnt
    /// of an erasure leaves it to the one that takes over its file.
    private func noteKnown() {
        guard isCleared, let known else { return }
        // Which denials have reached an earlier run's file without a note is known only once it is cleared of all.
        let isKnown = books.keeper.clearance != nil || !books.keeper.holdsEarlier
        guard isKnown || isOpen && books.keeper.isApplied(in: books.lanes) else { return }
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
        // Memory is done, even if the disk refuses: another attempt must not erase what comes from now on. What is
        // taken over is cleared on the way of all that is stored.
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
