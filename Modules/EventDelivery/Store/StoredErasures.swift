import CoreTracker

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
    /// The number up to which this process knows what the directory's processes were asked to erase; `nil` while the
    /// directory cannot be opened.
    private var known: UInt64?
    /// The numbers above that one of what this process was asked to erase itself.
    private var own: Set<UInt64> = []
    /// Whether stored events that are to be erased could still be sent.
    private var isBlocking = false

    init(_ books: LaneBooks) {
        self.books = books
    }

    /// Takes up what an earlier run was asked to erase and has not, before anything is opened.
    func open() {
        guard books.keeper.directory == nil || books.keeper.outboxDirectory != nil else { return }
        let stored = books.keeper.storedErasures() ?? []
        // The files are cleared of it as they are taken over; what may be left are bytes of what was deleted.
        owed += stored.filter(\.isOwed).map { erasure in
            var erasure = erasure
            erasure.last = StoredErasures.start
            return (erasure, StoredErasures.start)
        }
        known = stored.map(\.number).max() ?? 0
        if books.keeper.file == nil { books.keeper.erased = known }
        if owed.contains(where: { $0.erasure.user == nil }) { _ = books.keeper.forgetInstallation() }
    }

    /// Takes over what another process that uses the directory was asked to erase.
    func learn() {
        if known == nil, !books.keeper.isSuspended {
            open()
            retry()
        }
        if takeOver() { _ = try? apply() }
    }

    /// Takes over what other processes were asked to erase, without erasing it yet; `false` where there is nothing new.
    private func takeOver() -> Bool {
        guard let known, let stored = books.keeper.newErasures() else { return false }
        let last = stored.map(\.number).max() ?? 0
        // Where the list was damaged and has been replaced, the numbers start again.
        let new = stored.filter { $0.number > (last < known ? 0 : known) && !own.contains($0.number) }
        (self.known, own) = (last, [])
        for erasure in new { books.intake.learn(erasure) }
        if new.contains(where: { $0.user == nil }) {
            let id = books.keeper.rereadInstallation()
            books.intake.identity.change {
                $0.setUser(nil)
                $0.deviceID = id
            }
        }
        return !new.isEmpty
    }

    /// Whether no stored event may be sent: something is still to be erased, or could not be found.
    var isBehind: Bool { isBlocking || books.intake.withLanes { $0.erasures.count } > books.erasures }

    /// Erases what was asked for since; returns how many events.
    ///
    /// Throws why bytes could not be deleted yet; they are as soon as they can be.
    func apply() throws(OutboxError) -> Int {
        var obstacle: OutboxError?
        repeat {
            obstacle = store() ?? obstacle
        } while takeOver()
        let (count, failure) = retry()
        if let failure = failure ?? obstacle { throw failure }
        return count
    }

    /// Stores what was asked for since, so that it is owed; returns why it could not be stored.
    private func store() -> OutboxError? {
        let asked = books.intake.withLanes { Array($0.erasures.dropFirst(books.erasures)) }
        books.erasures += asked.count
        var obstacle: OutboxError?
        for erasure in asked {
            var all = ErasureFile.Erasure(user: erasure.user, last: StoredErasures.end)
            do throws(OutboxError) {
                if erasure.number == 0 { all.number = try books.keeper.remember(all) }
            } catch {
                obstacle = error
            }
            owed.append((all, erasure.number == 0 ? erasure.last : books.intake.ids.latest))
            if all.number > 0 { own.insert(all.number) }
        }
        if asked.contains(where: { $0.user == nil && $0.number == 0 }) {
            books.keeper.renewInstallation(books.intake.identity.value.deviceID)
        }
        return obstacle
    }

    /// Deletes what is still owed; returns how many events that were, and why some could not be deleted.
    @discardableResult
    func retry() -> (count: Int, failure: OutboxError?) {
        guard !books.isStopped else { return (0, nil) }
        guard !owed.isEmpty else {
            noteKnown()
            return (0, nil)
        }
        // It reaches what ended processes have left, too.
        let before = books.keeper.erasedOnAdoption
        let unlisted = books.keeper.adoptAll(lanes: &books.lanes)
        let adopted = books.keeper.erasedOnAdoption - before
        isBlocking = true
        let (count, leftover): (Int, OutboxError?)
        do throws(OutboxError) {
            (count, leftover) = try eraseOwed()
        } catch {
            books.keeper.failed(error)
            return (adopted, error)
        }
        isBlocking = false
        noteKnown()
        // A file that this process cannot read is left to the program or the start that can.
        let obstacle = leftover ?? unlisted ?? books.keeper.unreachable ?? books.keeper.beyondReach
        if obstacle == nil {
            let numbers = Set(owed.map(\.erasure.number).filter { $0 > 0 })
            // Where the note cannot be written, the next start finds nothing left to erase.
            if !numbers.isEmpty { try? books.keeper.settle(numbers) }
            owed = []
        }
        books.lanes.publish(books.lanes.indices)
        books.finishTurn()
        return (adopted + count, obstacle)
    }

    /// Notes in the file how far it is cleared of what was to be erased: a process that is killed before it has learnt
    /// of an erasure leaves it to the one that takes over its file.
    private func noteKnown() {
        guard let known, books.keeper.erased != known else { return }
        books.keeper.erased = known
        var change = OutboxChange()
        change.erased = known
        books.keeper.record(change, lanes: &books.lanes)
    }

    private func eraseOwed() throws(OutboxError) -> (count: Int, leftover: OutboxError?) {
        var (count, leftover) = (0, OutboxError?.none)
        for index in owed.indices {
            let erased = try erase(at: index)
            (count, leftover) = (count + erased.count, leftover ?? erased.leftover)
        }
        return (count, leftover)
    }

    private func erase(at position: Int) throws(OutboxError) -> (count: Int, leftover: OutboxError?) {
        let erasure = owed[position].erasure
        var (queues, change, erased) = (books.lanes.queues, LaneChange(), [[EventID]]())
        let outbox = books.keeper.outbox
        for index in queues.indices { erased.append(try queues[index].erase(erasure, from: outbox, change: &change)) }
        // Memory is done, even if the disk refuses: another attempt must not erase what is tracked from now on.
        books.lanes.queues = queues
        owed[position].erasure.last = owed[position].last
        defer {
            for index in queues.indices {
                books.lanes[index].refreshHead(from: books.keeper.outbox)
                tell(erased[index].count, lane: index)
            }
            books.fates.forget(Array(erased.joined()))
            if erasure.user == nil { books.fates.forget(Set(books.lanes.queues.map(\.id))) }
            books.keeper.confirm(erased.joined(), .lost(.erased))
        }
        do throws(OutboxError) {
            return (erased.joined().count, try books.keeper.purge([], with: change.outbox))
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

/// What was asked to be erased, as it is stored beside the queues.
extension OutboxKeeper {
    /// What this and other processes were asked to erase; `nil` where it cannot be read.
    func storedErasures() -> [ErasureFile.Erasure]? {
        guard let outboxDirectory else { return [] }
        erasuresSeen = ErasureFile.modification(in: outboxDirectory)
        return try? ErasureFile.read(in: outboxDirectory)
    }

    /// The erasures of the directory, where another process has stored any since this one looked last.
    func newErasures() -> [ErasureFile.Erasure]? {
        guard !isSuspended, let outboxDirectory, ErasureFile.modification(in: outboxDirectory) != erasuresSeen else {
            return nil
        }
        return storedErasures()
    }

    /// Stores what is to be erased; returns its number, or 0 where nothing is stored at all.
    func remember(_ erasure: ErasureFile.Erasure) throws(OutboxError) -> UInt64 {
        guard let outboxDirectory = try storageBesideQueues() else { return 0 }
        return try ErasureFile.add(erasure, in: outboxDirectory)
    }

    /// Erases from an ended process's contents what that process had not learnt of; returns how many events of each
    /// lane those were.
    func eraseMissed(from contents: inout OutboxContents) throws(OutboxError) -> [LaneID: Int] {
        guard let outboxDirectory else { return [:] }
        let missed = try ErasureFile.missed(after: contents.erased, in: outboxDirectory)
        guard !missed.isEmpty else { return [:] }
        let memory = InMemoryOutbox()
        memory.commit(contents.change, barrier: false)
        var counts: [LaneID: Int] = [:]
        for index in contents.lanes.indices {
            var queue = LaneQueue(stored: contents.lanes[index], destination: nil, consent: .initial(.granted))
            queue.batches = memory.batches(lane: queue.stored.number)
            for erasure in missed {
                var change = LaneChange()
                counts[queue.id, default: 0] += try queue.erase(erasure, from: memory, change: &change).count
                memory.commit(change.outbox, barrier: false)
            }
            contents.lanes[index] = queue.stored
        }
        let rest = try OutboxContents(of: memory, lanes: contents.lanes)
        (contents.packs, contents.held) = (rest.packs, rest.held)
        (contents.batches, contents.quarantined) = (rest.batches, rest.quarantined)
        return counts.filter { $0.value > 0 }
    }

    /// Says what was left out of a file that has been taken over.
    func tellErased(_ counts: [LaneID: Int]) {
        erasedOnAdoption += counts.values.reduce(0, +)
        for (lane, count) in counts { diagnostics.send(.dropped(lane: lane, reason: .erased, count: count)) }
    }

    /// Notes that nothing is left of what was to be erased.
    func settle(_ erasures: Set<UInt64>) throws(OutboxError) {
        guard !isSuspended, let outboxDirectory else { return }
        try ErasureFile.settle(erasures, in: outboxDirectory)
    }
}
