import Synchronization

/// What the user has said about a purpose last.
///
/// Words are numbered at the moment of the call, over all purposes of an engine. Whoever applies a word asks for the
/// last one, so an earlier word can never overtake a later one.
struct ConsentWord: Sendable, Hashable {
    /// The word itself.
    var consent: Consent
    /// Its number among all words of this engine; 0 for what the configuration or an earlier run says.
    var number: UInt64
    /// The number of the last denial up to this word, or 0: what was stored before that denial has to go.
    var denial: UInt64
    /// Events with ids above this one were tracked after the word.
    var since: EventID

    /// A word that holds from the start on.
    static func initial(_ consent: Consent) -> ConsentWord {
        ConsentWord(consent: consent, number: 0, denial: 0, since: EventID(high: 0, low: 0))
    }
}

/// The word that is in force for a lane: written under the lock of the intake's lanes, read by callers without it.
final class LaneConsent: Sendable {
    private let raw = Atomic<UInt64>(0)

    /// Whether the lane's purpose is refused now; costs no lock.
    var isDenied: Bool { raw.load(ordering: .acquiring) & 1 == 1 }

    /// The number of the last word; costs no lock.
    var number: UInt64 { raw.load(ordering: .acquiring) >> 1 }

    /// Puts a word in force.
    func set(_ word: ConsentWord) {
        raw.store(word.number << 1 | (word.consent == .denied ? 1 : 0), ordering: .releasing)
    }
}
