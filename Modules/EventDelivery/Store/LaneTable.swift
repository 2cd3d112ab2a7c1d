import CoreTracker
import EventBuffer

/// The lanes of the store, by the intake's index, each with what wakes its runner.
struct LaneTable {
    /// The lanes themselves.
    var queues: [LaneQueue] = []
    private(set) var wakes: [WakeSignal] = []
    private let intake: Intake
    private let destinations: [LaneID: any Destination]

    init(intake: Intake, destinations: [any Destination]) {
        self.intake = intake
        self.destinations = Dictionary(destinations.map { ($0.lane, $0) }) { first, _ in first }
    }

    /// The indices of all lanes.
    var indices: Range<Int> { queues.indices }

    subscript(index: Int) -> LaneQueue {
        get { queues[index] }
        _modify { yield &queues[index] }
    }

    /// Makes a queue for each lane that the intake has come to know since.
    mutating func adopt() {
        let known = intake.withLanes { lanes in
            lanes.lanes.indices.dropFirst(queues.count).map { (lanes.lanes[$0].id, lanes.word(of: $0)) }
        }
        for (id, word) in known {
            let number = (queues.map(\.stored.number).max() ?? 0) + 1
            // What an earlier run has left is looked at when the engine opens, whatever the word is.
            queues.append(
                LaneQueue(stored: StoredLane(number: number, id: id), destination: destinations[id], consent: word)
            )
            wakes.append(WakeSignal())
        }
    }

    /// The index of a lane, which is made where it is new.
    mutating func index(of id: LaneID) -> Int {
        let index = intake.withLanes { $0.index(of: id) }
        adopt()
        return index
    }

    /// Whether the user has agreed to the purpose of any destination, so that this installation may have an id on disk.
    var mayIdentify: Bool {
        queues.contains { $0.destination != nil && $0.consent.consent == .granted }
    }

    /// The stored rows of all lanes.
    var rows: [StoredLane] { queues.map(\.stored) }

    /// The indices of the lanes that a denial still has to delete from the disk.
    var owing: [Int] { indices.filter { queues[$0].owesPurge } }

    /// The numbers of those lanes.
    var refused: Set<Int> { Set(owing.map { queues[$0].stored.number }) }

    /// What holds for events that a lane takes over: the last word, unless a denial is still to be applied before it.
    func lastConsent(of index: Int) -> Consent {
        let (lane, word) = (queues[index], intake.withLanes { $0.word(of: index) })
        return lane.owesPurge || word.denial > lane.consent.denial ? .denied : word.consent
    }

    /// The number of the last denial of a purpose that this process has been told; 0 where there is none.
    func lastDenial(about purpose: String) -> UInt64 {
        intake.withLanes { $0.words[ConsentPurpose(purpose)]?.denial ?? 0 }
    }

    /// Notes another number of a denial that lanes of a purpose have applied already, so that they do not once more.
    mutating func renumberDenial(_ number: UInt64, to new: UInt64, of purpose: String) {
        for index in indices where queues[index].stored.purpose == purpose && queues[index].consent.denial == number {
            queues[index].consent.denial = new
        }
    }

    /// Publishes the ledgers of lanes and how they stand; their runners look again.
    func publish(_ indices: some Sequence<Int>) {
        intake.withLanes { lanes in
            for index in indices { lanes.publish(index, queues[index].stored.ledger, queues[index].status) }
        }
        for index in indices { wakes[index].signal() }
    }
}

/// Turns the contents of another outbox into a change of this one: packs get the next places of their lanes here.
struct Absorption {
    /// The lanes as they are once the change is committed.
    private(set) var lanes: [LaneQueue]
    var change = OutboxChange()

    init(lanes: [LaneQueue]) {
        self.lanes = lanes
    }

    /// Adds a lane with its packs and batches; what the user has refused since is counted and left behind.
    ///
    /// - Parameters:
    ///   - consent: What the user says of it; what the lane holds, if `nil`.
    ///   - erased: What has been erased from it on the way.
    mutating func add(
        _ stored: StoredLane,
        of contents: OutboxContents,
        under consent: Consent? = nil,
        erased: Erased = Erased()
    ) {
        guard let index = lanes.firstIndex(where: { $0.stored.id == stored.id }) else { return }
        lanes[index].stored.ledger.add(stored.ledger)
        if lanes[index].stored.purpose.isEmpty { lanes[index].stored.purpose = stored.purpose }
        lanes[index].opening.add(stored.ledger)
        defer { change.lanes.append(lanes[index].stored) }
        let consent = consent ?? lanes[index].consent.consent
        lanes[index].stored.ledger.quarantined -= erased.quarantined
        lanes[index].stored.ledger.drop(erased.events, .erased)
        guard consent != .denied else {
            let left = stored.ledger.pending + stored.ledger.quarantined - erased.events
            lanes[index].stored.ledger.quarantined -= stored.ledger.quarantined - erased.quarantined
            lanes[index].stored.ledger.drop(left, .consentDenied)
            return
        }
        change.insertedQuarantined += contents.quarantined.filter { $0.lane == stored.id }
        var places: [PackPlace: PackPlace] = [:]
        for pack in contents.packs where pack.place.lane == stored.number {
            places[pack.place] = insert(pack, lane: index)
        }
        for pack in contents.held where pack.place.lane == stored.number {
            if consent == .unknown {
                hold(pack, lane: index)
            } else {
                _ = insert(pack, lane: index)
            }
        }
        for batch in contents.batches where batch.lane == stored.number {
            var moved = batch
            moved.packs = batch.packs.compactMap { places[$0] }
            guard moved.packs.count == batch.packs.count else { continue }
            change.savedBatches.append(moved)
            lanes[index].batches.append(moved)
        }
    }

    private mutating func insert(_ pack: Pack, lane: Int) -> PackPlace {
        let moved = renumber(pack, lane: lane)
        change.inserted.append(moved)
        lanes[lane].account(moved.summary, sign: 1)
        return moved.place
    }

    private mutating func hold(_ pack: Pack, lane: Int) {
        let moved = renumber(pack, lane: lane)
        change.insertedHeld.append(moved)
        lanes[lane].accountHeld(moved.summary, sign: 1)
    }

    private mutating func renumber(_ pack: Pack, lane: Int) -> Pack {
        let place = PackPlace(lane: lanes[lane].stored.number, number: lanes[lane].stored.nextNumber)
        lanes[lane].stored.nextNumber += Int64(pack.count)
        return pack.moved(to: place)
    }
}
