import CoreTracker

/// The lanes that are known, with their ledgers as far as they have left the buffer, and what the user has said.
///
/// It is the one owner of consent: a word is numbered and put in force here, at the moment of the call.
struct IntakeLanes: Sendable {
    /// What is known of a lane.
    struct Lane: Sendable {
        let id: LaneID
        /// The purpose of the lane's destination; `nil` until the engine is open.
        var purpose: ConsentPurpose?
        /// The ledger as it was stored last.
        var stored = LaneLedger()
        /// How the lane stood when its ledger was published last.
        var status = LaneStatus()
        /// Events that the writer has taken and not stored yet.
        var taken = 0
        /// Refusals that the writer has taken and not stored yet.
        var refused: [DropReason: Int] = [:]
        /// The word in force.
        let consent = LaneConsent()
    }

    private(set) var lanes: [Lane] = []
    /// The last events of each lane that have left the buffer.
    private(set) var recent = RecentEvents()
    private var indices: [LaneID: Int] = [:]
    private(set) var words: [ConsentPurpose: ConsentWord] = [:]
    private var lastNumber: UInt64 = 0

    /// The index of a lane, which is made on first use.
    mutating func index(of id: LaneID) -> Int {
        if let index = indices[id] { return index }
        indices[id] = lanes.count
        lanes.append(Lane(id: id))
        return lanes.count - 1
    }

    /// Notes that a group has left the buffer.
    mutating func noteTaken(_ group: IntakeGroup) {
        count(group, as: 1)
        recent.note(group)
        for (lane, refused) in group.refused { lanes[lane].refused.merge(refused, uniquingKeysWith: +) }
    }

    /// Notes that a group is in the outbox: the stored ledgers now hold it.
    mutating func noteStored(_ group: IntakeGroup) {
        count(group, as: -1)
        for (lane, refused) in group.refused {
            lanes[lane].refused.merge(refused, uniquingKeysWith: -)
            lanes[lane].refused = lanes[lane].refused.filter { $0.value != 0 }
        }
    }

    private mutating func count(_ group: IntakeGroup, as one: Int) {
        for chunk in group.chunks {
            // An entry is not copied for its lane's sake.
            for index in chunk.indices { lanes[chunk[index].lane].taken += one }
        }
    }

    /// Publishes a lane's stored ledger and how it stands.
    mutating func publish(_ lane: Int, _ ledger: LaneLedger, _ status: LaneStatus) {
        lanes[lane].stored = ledger
        lanes[lane].status = status
    }
}

/// Consent.
extension IntakeLanes {
    /// Notes what the user says about a purpose, and puts it in force.
    ///
    /// - Parameter last: The id of the last event that was tracked before.
    mutating func say(_ consent: Consent, about purpose: ConsentPurpose, after last: EventID) {
        lastNumber += 1
        let denial = consent == .denied ? lastNumber : words[purpose]?.denial ?? 0
        let word = ConsentWord(consent: consent, number: lastNumber, denial: denial, since: last)
        words[purpose] = word
        for lane in lanes where lane.purpose == purpose { lane.consent.set(word) }
    }

    /// Notes the purpose of a lane's destination, with what holds for the purpose where nothing has been said.
    mutating func serve(_ lane: Int, purpose: ConsentPurpose, initially consent: Consent) {
        lanes[lane].purpose = purpose
        let word = words[purpose] ?? .initial(consent)
        words[purpose] = word
        lanes[lane].consent.set(word)
    }

    /// Numbers all words after those that are stored; what has been said since this engine was made is later than they.
    mutating func count(from stored: UInt64) {
        guard lastNumber < .max - stored else { return }
        lastNumber += stored
        for (purpose, word) in words where word.number > 0 {
            words[purpose]?.number = word.number + stored
            if word.denial > 0 { words[purpose]?.denial = word.denial + stored }
        }
    }

    /// Notes a word that another process has stored, where it is later than what is known here.
    mutating func learn(_ consent: Consent, about purpose: ConsentPurpose, number: UInt64, after last: EventID) {
        guard number > words[purpose]?.number ?? 0, number < .max >> 1 else { return }
        lastNumber = max(lastNumber, number) - 1
        say(consent, about: purpose, after: last)
    }

    /// The last word about each lane's purpose, by index.
    var lastWords: [ConsentWord] { lanes.indices.map { word(of: $0) } }

    /// The last word about a lane's purpose; a lane without a destination needs none.
    func word(of lane: Int) -> ConsentWord {
        lanes[lane].purpose.flatMap { words[$0] } ?? .initial(.granted)
    }
}
