package import CoreTracker
import Locks

/// The lanes that are known, with their ledgers as far as they have left the buffer, and what the user has said.
///
/// It is the one owner of consent: a word is numbered and put in force here, at the moment of the call.
package struct IntakeLanes: Sendable {
    /// What is known of a lane.
    package struct Lane: Sendable {
        package let id: LaneID
        /// The purpose of the lane's destination; `nil` until the engine is open.
        package var purpose: ConsentPurpose?
        /// The ledger as it was stored last.
        var stored = LaneLedger()
        /// How the lane stood when its ledger was published last.
        var status = LaneStatus()
        /// Events that the writer has taken and not stored yet.
        var taken = 0
        /// Refusals that the writer has taken and not stored yet.
        var refused: [DropReason: Int] = [:]
        /// The word in force.
        package let consent = LaneConsent()
    }

    package private(set) var lanes: [Lane] = []
    /// The last events of each lane that have left the buffer.
    private(set) var recent = RecentEvents()
    private var indices: [LaneID: Int] = [:]
    package private(set) var words: [ConsentPurpose: ConsentWord] = [:]
    /// What has been said about each purpose, whether in this run, in an earlier one or by the configuration.
    ///
    /// It is updated with each word rather than derived, because every request carries it.
    package private(set) var consents: [ConsentPurpose: Consent] = [:]
    private var lastNumber: UInt64 = 0
    /// What is to be erased, in order; another process has stored what has a number.
    package private(set) var erasures: [Erasure] = []

    package init() {}

    /// The index of a lane, which is made on first use.
    package mutating func index(of id: LaneID) -> Int {
        if let index = indices[id] { return index }
        indices[id] = lanes.count
        lanes.append(Lane(id: id))
        lanes[lanes.count - 1].consent.setErasures(erasures.count)
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
    package mutating func publish(_ lane: Int, _ ledger: LaneLedger, _ status: LaneStatus) {
        lanes[lane].stored = ledger
        lanes[lane].status = status
    }
}

/// Consent, and what is to be erased.
extension IntakeLanes {
    /// Notes that events up to one are to be erased; requests that were leased before are not begun any more.
    package mutating func erase(_ erasure: Erasure) {
        erasures.append(erasure)
        if erasure.user == nil { recent = RecentEvents() }
        for lane in lanes { lane.consent.setErasures(erasures.count) }
    }

    /// Notes what the user says about a purpose, and puts it in force.
    ///
    /// - Parameter last: The id of the last event that was tracked before.
    package mutating func say(_ consent: Consent, about purpose: ConsentPurpose, after last: EventID) {
        put(consent, about: purpose, number: lastNumber + 1, after: last)
    }

    /// - Parameter denial: The number of a denial that another process has given it already.
    private mutating func put(
        _ consent: Consent,
        about purpose: ConsentPurpose,
        number: UInt64,
        denial: UInt64? = nil,
        after last: EventID
    ) {
        lastNumber = max(lastNumber, number)
        var word = words[purpose] ?? .initial(.unknown)
        // A grant releases what was held before it.
        if word.consent == .granted || consent == .granted { word.granted = last }
        (word.consent, word.number, word.since) = (consent, number, last)
        if consent == .denied { (word.denial, word.denied) = (denial ?? number, last) }
        consents[purpose] = consent
        putInForce(word, about: purpose)
    }

    /// Notes what had been said before this run, or by its configuration.
    mutating func noteEarlier(_ said: [ConsentPurpose: Consent]) {
        consents = said.merging(words.filter { $0.value.number > 0 }.mapValues(\.consent)) { $1 }
    }

    /// Notes the purpose of a lane's destination, with what holds for the purpose where nothing has been said.
    package mutating func serve(_ lane: Int, purpose: ConsentPurpose, initially consent: Consent) {
        lanes[lane].purpose = purpose
        let word = words[purpose].flatMap { $0.number > 0 ? $0 : nil } ?? .initial(consent)
        words[purpose] = word
        lanes[lane].consent.set(word)
    }

    /// Numbers all words after those that are stored; what has been said since this engine was made is later than they.
    package mutating func count(from stored: UInt64) {
        guard lastNumber < .max - stored else { return }
        lastNumber += stored
        for purpose in words.keys { words[purpose]?.count(from: stored) }
    }

    /// Notes a word that another process has stored; returns the greatest number about the purpose that is stored and
    /// known here.
    ///
    /// What has been said here and is not stored yet was said later: it stays in force, with a greater number, and a
    /// denial of the other process takes effect before it.
    /// - Parameter known: The greatest number that was stored and known here so far.
    package mutating func learn(_ word: StoredDecision, known: UInt64, after last: EventID) -> UInt64 {
        let (purpose, number) = (ConsentPurpose(word.purpose), word.number)
        guard let consent = Consent(rawValue: word.consent), number > known else { return known }
        let own = words[purpose] ?? .initial(.unknown)
        // It was stored, though it seemed not to be; another process's word can have the same number.
        if number == own.number, consent == own.consent, word.denial == own.denial { return number }
        guard own.number > known else {
            if word.denial > known { put(.denied, about: purpose, number: word.denial, after: last) }
            if consent != .denied { put(consent, about: purpose, number: number, after: last) }
            return number
        }
        lastNumber = max(lastNumber, number)
        // A denial that is said here is news to all; one of another process is none to those who know it already.
        let isOwnDenial = own.denial > known
        guard word.denial > known else {
            renumber(own, about: purpose, withDenial: isOwnDenial)
            return number
        }
        put(.denied, about: purpose, number: lastNumber + 1, denial: isOwnDenial ? nil : word.denial, after: last)
        if own.consent != .denied { say(own.consent, about: purpose, after: last) }
        return number
    }

    /// Gives what was said here greater numbers; it concerns the same events as before.
    private mutating func renumber(_ own: ConsentWord, about purpose: ConsentPurpose, withDenial: Bool) {
        var word = own
        if withDenial {
            lastNumber += 1
            word.denial = lastNumber
        }
        if !withDenial || own.consent != .denied { lastNumber += 1 }
        word.number = lastNumber
        putInForce(word, about: purpose)
    }

    private mutating func putInForce(_ word: ConsentWord, about purpose: ConsentPurpose) {
        words[purpose] = word
        for lane in lanes where lane.purpose == purpose { lane.consent.set(word) }
    }

    /// The last word about each lane's purpose, by index.
    package var lastWords: [ConsentWord] { lanes.indices.map { word(of: $0) } }

    /// The last word about a lane's purpose; a lane without a destination needs none.
    package func word(of lane: Int) -> ConsentWord {
        lanes[lane].purpose.flatMap { words[$0] } ?? .initial(.granted)
    }
}

/// What the user has said about a purpose last.
///
/// Words are numbered at the moment of the call, over all purposes of an engine. Whoever applies a word asks for the
/// last one, so an earlier word can never overtake a later one.
package struct ConsentWord: Sendable, Hashable {
    /// The word itself.
    package var consent: Consent
    /// Its number among all words of this engine; 0 for what the configuration or an earlier run says.
    package var number: UInt64
    /// The number of the last denial up to this word, or 0: what was stored before that denial has to go.
    package var denial: UInt64
    /// Events with ids above this one were tracked after the word.
    package var since: EventID
    /// Events up to this one were tracked before the last denial, which has given them up.
    package var denied = EventID(high: 0, low: 0)
    /// Events up to this one were tracked before the end of the last grant.
    package var granted = EventID(high: 0, low: 0)

    /// Numbers the word after those that are stored, where it was said in this run.
    package mutating func count(from stored: UInt64) {
        if number > 0 { number += stored }
        if denial > 0 { denial += stored }
    }

    /// A word that holds from the start on.
    package static func initial(_ consent: Consent) -> ConsentWord {
        ConsentWord(consent: consent, number: 0, denial: 0, since: EventID(high: 0, low: 0))
    }
}

/// The word that is in force for a lane: written under the lock of the intake's lanes, read by callers without it.
package final class LaneConsent: Sendable {
    private let raw = Atomic<UInt64>(0)
    private let erasureCount = Atomic(0)

    package init() {}

    /// Whether the lane's purpose is refused now; costs no lock.
    package var isDenied: Bool { raw.load(ordering: .acquiring) & 1 == 1 }

    /// The number of the last word; costs no lock.
    package var number: UInt64 { raw.load(ordering: .acquiring) >> 1 }

    /// How often something was to be erased so far; costs no lock.
    package var erasures: Int { erasureCount.load(ordering: .acquiring) }

    /// Notes how often something was to be erased.
    func setErasures(_ count: Int) {
        erasureCount.store(count, ordering: .releasing)
    }

    /// Puts a word in force.
    func set(_ word: ConsentWord) {
        raw.store(word.number << 1 | (word.consent == .denied ? 1 : 0), ordering: .releasing)
    }
}
