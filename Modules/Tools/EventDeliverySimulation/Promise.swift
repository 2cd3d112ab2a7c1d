/// A promise of the engine, as the oracle checks it.
///
/// A violation is reported with this sentence.
package enum Promise: String, Sendable, Hashable, CaseIterable {
    case knownEvent = "what arrives was tracked, on its own lane, and reads as it was written"
    case stableID = "an event keeps its id, and no two events share one"
    case identicalRetry = "a batch is sent again byte for byte"
    case user = "an event belongs to the user who was signed in when it was tracked"
    case session = "events share a session if and only if they were tracked in the same one"
    case installation = "no event after a reset shares an installation id with one before it"
    case sequence = "no two events of a lane share a number"
    case order = "an ordered lane sends events in the order in which they were tracked"
    case oneRequest = "an ordered lane has one request under way, an unordered one as many as it may"
    case consentSending = "no request of a purpose begins after a denial of it has returned"
    case consentUnderWay = "no request of a purpose is under way when a denial of it returns"
    case consentStored = "no event of a purpose is stored when a denial of it has returned"
    case consentBytes = "no byte of a purpose's events is on the disk when a denial of it has returned"
    case consentRevived = "what a denial has given up is not sent after a later grant"
    case consentHeld = "no request of a purpose begins before the user has agreed to it"
    case consentShared = "the last word about a purpose holds in every process that has looked since"
    case erasureUnderWay = "no request with an erased event is under way when the erasure returns"
    case erasureBytes = "no byte of an erased event is on the disk when the erasure has returned"
    case erasureRevived = "what an erasure has deleted is not sent afterwards"
    case erasureCount = "the ledger counts as erased what erasures have returned"
    case switchedOff = "an event that the limits document switches off when it is tracked is not sent"
    case limitsRejected = "a malformed limits document, and no other one, is rejected"
    case suspended = "no file is changed while the storage is suspended"
    case waitAsked = "no request of an ordered lane begins before the wait is over that its receiver has asked for"
    case receiptLost = "an event whose receipt says lost does not arrive"
    case receiptReason = "a receipt says lost for a reason that has a cause"
    case sentOnce = "an acknowledged event is not sent again"
    case closed = "nothing is sent after a close has returned"
    case openOnce = "an engine opens once"
    case flushDeadline = "a flush returns by its deadline"
    case flushCancelled = "a cancelled flush returns at once"
    case closeDeadline = "a close returns a second after its deadline"
    case flushDrained = "a drained report means that all that was tracked before is settled"
    case flushSums = "reports together count what was tracked, each event once"
    case ledgerBalance = "the ledger agrees with what is stored"
    case ledgerAccepted = "the ledger has accepted what was tracked"
    case ledgerDelivered = "the ledger counts as delivered no more than has arrived"
    case quarantineBound = "the quarantine keeps within its bounds"
    case quarantineCause = "only what its receiver has refused is quarantined"
    case heldBound = "no more events wait for consent than may"
    case storedBound = "no more events are stored than may be"
    case storedSoon = "an event is stored within its time"
    case independence = "a lane delivers whatever happens to the others"
    case accounted = "every event is delivered or counted with a reason"
    case noLoss = "no event is lost without a cause"
    case expiry = "only what is too old expires"
    case survivesKill = "what is stored survives a kill"
    case survivesPowerLoss = "what is stored strictly, or for a second, survives a power loss"
    case liveness = "everything is settled once faults have ended"
    case returns = "every call returns"
    case noDeadlock = "the engine never stands still"
    case noEscape = "the engine runs nowhere but on its runtime"
}

/// A violation of a promise in a run.
package struct Violation: Sendable, Hashable, CustomStringConvertible {
    /// The broken promise.
    package var promise: Promise
    /// The observation.
    package var detail: String

    package var description: String { "broken: \(promise.rawValue) (\(detail))" }
}

extension [Violation] {
    /// Records a violation, unless the promise already has one.
    mutating func record(_ promise: Promise, _ detail: String) {
        if !contains(where: { $0.promise == promise }) { append(Violation(promise: promise, detail: detail)) }
    }
}
