package import CoreTracker
import Locks

/// The known lanes, their published ledgers and the user's consent decisions.
///
/// The only owner of consent decisions: each decision gets its number and takes effect here, during the call.
package struct BufferLanes: Sendable {
    /// The published state of a lane.
    package struct Lane: Sendable {
        package let id: LaneID
        /// The purpose of the lane's destination, or `nil` until the engine is open.
        package var purpose: ConsentPurpose?
        /// The latest stored ledger.
        var stored = LaneLedger()
        /// The latest published status.
        var status = LaneStatus()
        /// The number of events that the writer has taken out of the buffer and not stored yet.
        var taken = 0
        /// The numbers of refused events that the writer has taken and not stored yet, by reason.
        var refused: [DropReason: Int] = [:]
        /// The decision in effect.
        package let consent = LaneConsent()
        /// The reasons for which the lane sends nothing.
        package let holds: LaneHolds
    }

    package private(set) var lanes: [Lane] = []
    /// The latest events of each lane that have left the buffer.
    private(set) var recent = RecentEvents()
    private var indices: [LaneID: Int] = [:]
    /// The latest decision about each purpose.
    ///
    /// A number of 0 marks the initial decision of a purpose.
    package private(set) var words: [ConsentPurpose: ConsentWord] = [:]
    /// The user's decision about each purpose, from this run, an earlier run or the configuration.
    ///
    /// Each new decision updates it. It is not derived from the decisions, because every request contains it.
    package private(set) var consents: [ConsentPurpose: Consent] = [:]
    private var lastNumber: UInt64 = 0
    /// The holds of new lanes.
    var holdsOfAll: Set<HoldReason> = []
    /// All erasures of this run, in order.
    package private(set) var erasures: [Erasure] = []

    package init() {}

    /// Returns the index of a lane, and adds the lane if it is new.
    ///
    /// - Parameter id: The lane's name.
    package mutating func index(of id: LaneID) -> Int {
        if let index = indices[id] { return index }
        indices[id] = lanes.count
        lanes.append(Lane(id: id, holds: LaneHolds(holdsOfAll)))
        lanes[lanes.count - 1].consent.setErasures(erasures.count)
        return lanes.count - 1
    }

    /// Records that a group has left the buffer.
    ///
    /// - Parameter group: The events and the refusals.
    mutating func noteTaken(_ group: BufferedGroup) {
        count(group, as: 1)
        recent.record(group)
        for (lane, refused) in group.refused { lanes[lane].refused.merge(refused, uniquingKeysWith: +) }
    }

    /// Records that a group is in the outbox and that the stored ledgers include it.
    ///
    /// - Parameter group: The events and the refusals.
    mutating func noteStored(_ group: BufferedGroup) {
        count(group, as: -1)
        for (lane, refused) in group.refused {
            lanes[lane].refused.merge(refused, uniquingKeysWith: -)
            lanes[lane].refused = lanes[lane].refused.filter { $0.value != 0 }
        }
    }

    private mutating func count(_ group: BufferedGroup, as one: Int) {
        for chunk in group.chunks {
            // An index avoids a copy of each entry.
            for index in chunk.indices { lanes[chunk[index].lane].taken += one }
        }
    }

    /// Publishes the stored ledger and the status of a lane.
    ///
    /// - Parameters:
    ///   - lane: The lane's index.
    ///   - ledger: The ledger in the outbox.
    ///   - status: The status at the same moment.
    package mutating func publish(_ lane: Int, _ ledger: LaneLedger, _ status: LaneStatus) {
        lanes[lane].stored = ledger
        lanes[lane].status = status
    }
}

/// Consent decisions and erasures.
extension BufferLanes {
    /// Adds an erasure.
    ///
    /// No request that was leased earlier is started afterwards.
    ///
    /// - Parameter erasure: The user and the last event to erase.
    package mutating func erase(_ erasure: Erasure) {
        erasures.append(erasure)
        if erasure.user == nil { recent = RecentEvents() }
        for lane in lanes { lane.consent.setErasures(erasures.count) }
    }

    /// Records the user's decision about a purpose, and applies it to all lanes of the purpose.
    ///
    /// - Parameters:
    ///   - consent: The decision.
    ///   - purpose: The purpose.
    ///   - last: The id of the last event tracked before the decision.
    package mutating func say(_ consent: Consent, about purpose: ConsentPurpose, after last: EventID) {
        lastNumber += 1
        var word = words[purpose] ?? .initial(.unknown)
        // A grant releases the events that were held before it.
        if word.consent == .granted || consent == .granted { word.granted = last }
        if word.number == 0 { word.first = last }
        (word.consent, word.number, word.since) = (consent, lastNumber, last)
        if consent == .denied { (word.denial, word.denied) = (lastNumber, last) }
        consents[purpose] = consent
        putInForce(word, about: purpose)
    }

    /// Restores decisions from earlier runs or the configuration.
    ///
    /// Decisions of this run replace them.
    ///
    /// - Parameter said: The decisions by purpose.
    mutating func noteEarlier(_ said: [ConsentPurpose: Consent]) {
        consents = said.merging(words.filter { $0.value.number > 0 }.mapValues(\.consent)) { $1 }
    }

    /// Sets the purpose of a lane's destination.
    ///
    /// - Parameters:
    ///   - lane: The lane's index.
    ///   - purpose: The purpose.
    ///   - consent: The consent if the user has made no decision about the purpose in this run.
    package mutating func serve(_ lane: Int, purpose: ConsentPurpose, initially consent: Consent) {
        lanes[lane].purpose = purpose
        var word = words[purpose].flatMap { $0.number > 0 ? $0 : nil } ?? .initial(consent)
        // The stored decision applies to events before the first decision of this run.
        if consent == .denied, word.number > 0 { word.denied = max(word.denied, word.first) }
        words[purpose] = word
        lanes[lane].consent.set(word)
    }

    /// Renumbers all decisions of this run to follow the stored ones.
    ///
    /// - Parameter stored: The highest number of a stored decision.
    package mutating func count(from stored: UInt64) {
        guard lastNumber < .max - stored else { return }
        lastNumber += stored
        for purpose in words.keys { words[purpose]?.count(from: stored) }
    }

    private mutating func putInForce(_ word: ConsentWord, about purpose: ConsentPurpose) {
        words[purpose] = word
        for lane in lanes where lane.purpose == purpose { lane.consent.set(word) }
    }

    /// The latest decision about each lane's purpose, by the lane's index.
    package var lastWords: [ConsentWord] { lanes.indices.map { word(of: $0) } }

    /// Returns the latest decision about a lane's purpose.
    ///
    /// A lane without a destination needs no consent, and counts as granted.
    ///
    /// - Parameter lane: The lane's index.
    package func word(of lane: Int) -> ConsentWord {
        lanes[lane].purpose.flatMap { words[$0] } ?? .initial(.granted)
    }
}

/// The user's latest decision about a purpose.
///
/// Decisions are numbered during the call that makes them, across all purposes of an engine. Code that applies a
/// decision always reads the latest one, which prevents an earlier decision from replacing a later one.
package struct ConsentWord: Sendable, Hashable {
    /// The decision.
    package var consent: Consent
    /// The number of the decision in this engine, or 0 for a decision from the configuration or an earlier run.
    package var number: UInt64
    /// The number of the latest denial up to this decision, or 0.
    ///
    /// Events stored before that denial must be deleted.
    package var denial: UInt64
    /// The last event tracked before the decision.
    package var since: EventID
    /// The last event tracked before the latest denial.
    ///
    /// The denial covers all events up to this one.
    package var denied = EventID(high: 0, low: 0)
    /// The last event tracked before the first decision of this run.
    var first = EventID(high: 0, low: 0)
    /// The last event tracked before the latest grant, or before its end.
    ///
    /// Events up to this one are not held.
    package var granted = EventID(high: 0, low: 0)

    /// Renumbers a decision of this run to follow the stored ones.
    ///
    /// - Parameter stored: The highest number of a stored decision.
    package mutating func count(from stored: UInt64) {
        if number > 0 { number += stored }
        if denial > 0 { denial += stored }
    }

    /// Returns a decision that applies until the user makes one.
    ///
    /// - Parameter consent: The decision.
    package static func initial(_ consent: Consent) -> ConsentWord {
        ConsentWord(consent: consent, number: 0, denial: 0, since: EventID(high: 0, low: 0))
    }
}

/// The decision in effect for a lane.
///
/// It is written under the lock of ``BufferLanes``, and read by callers without a lock.
package final class LaneConsent: Sendable {
    private let raw = Atomic<UInt64>(0)
    private let erasureCount = Atomic(0)

    package init() {}

    /// Whether consent to the lane's purpose is denied now.
    ///
    /// Takes no lock.
    package var isDenied: Bool { raw.load(ordering: .acquiring) & 1 == 1 }

    /// The number of the latest decision.
    ///
    /// Takes no lock.
    package var number: UInt64 { raw.load(ordering: .acquiring) >> 1 }

    /// The number of erasures so far.
    ///
    /// Takes no lock.
    package var erasures: Int { erasureCount.load(ordering: .acquiring) }

    /// Sets the number of erasures.
    func setErasures(_ count: Int) {
        erasureCount.store(count, ordering: .releasing)
    }

    /// Applies a decision.
    func set(_ word: ConsentWord) {
        raw.store(word.number << 1 | (word.consent == .denied ? 1 : 0), ordering: .releasing)
    }
}
