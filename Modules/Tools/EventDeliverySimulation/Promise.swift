/// A promise of the engine, as the oracle checks it.
///
/// A violation is reported with this sentence.
package enum Promise: String, Sendable, Hashable, CaseIterable, Codable {
    case knownEvent = "each event that arrives was tracked, on the same lane, and has the same content"
    case stableID = "an event keeps its id, and no two events have the same id"
    case identicalRetry = "each request for a batch has the same bytes"
    case user = "an event belongs to the user of its scope, or to the user who was signed in when it was tracked"
    case oneUser = "no request of a destination that separates users contains events of two users"
    case session = "events share a session if and only if they were tracked in the same one"
    case flags = "a user's variant is a default parameter, and its exposure is tracked once in a session"
    case sampling = "a session or an installation in a smaller sample is in every larger one"
    case installation = "no event after a reset shares an installation id with one before it"
    case sequence = "no two events of a lane have the same sequence number"
    case order = "an ordered lane keeps the order of its events, as `OrderOfDelivery` defines it"
    case oneRequest = "an ordered lane has at most one request in flight, and an unordered lane no more than its limit"
    case consentSending = "no request of a purpose begins after a denial of it has returned"
    case consentUnderWay = "no request of a purpose is in flight when a denial of it returns"
    case consentStored = "no event of a purpose is stored when a denial of it has returned"
    case consentBytes = "no byte of a purpose's events is on the disk when a denial of it has returned"
    case decisionReserved = "a decision on a full disk with a disk reserve is stored"
    case consentRevived = "events that a denial covers are not sent after a later grant"
    case consentHeld = "no request of a purpose begins before the user has agreed to it"
    case held = "no request of a lane begins while the lane is held"
    case erasureUnderWay = "no request with an erased event is in flight when the erasure returns"
    case erasureBytes = "no byte of an erased event is on the disk when the erasure has returned"
    case erasureRevived = "events that an erasure has deleted are not sent afterwards"
    case erasureCount = "the ledger counts as many erased events as the erasures have returned"
    case switchedOff = "an event that the quotas document switches off when it is tracked is not sent"
    case quotasRejected = "a malformed quotas document, and no other one, is rejected"
    case suspended = "no file is changed, and no request begins, while the storage is suspended"
    case waitAsked = "an ordered lane sends no request before the Retry-After of its receiver has passed"
    case receiptLost = "an event whose receipt reports a loss does not arrive"
    case receiptReason = "a receipt reports a loss only for a reason that has occurred"
    case sentOnce = "an acknowledged event is not sent again"
    case closed = "nothing is sent after a close has returned"
    case openOnce = "an engine opens once"
    case flushDeadline = "a flush returns by its deadline"
    case flushCancelled = "a cancelled flush returns at once"
    case closeDeadline = "a close returns at most a second after its deadline"
    case flushDrained = "a drained report means that all events tracked before the flush are settled"
    case flushSums = "all reports together count each tracked event once"
    case ledgerBalance = "the ledger agrees with the stored events"
    case ledgerAccepted = "the ledger counts each tracked event as accepted"
    case ledgerDelivered = "the ledger counts no more events as delivered than have arrived"
    case quarantineBound = "the quarantine keeps within its bounds"
    case quarantineCause = "only events that their receiver has refused are quarantined"
    case heldBound = "no more events wait for consent than the budget allows"
    case storedBound = "no more events are stored than the budget allows"
    case storedSoon = "an event is stored within the time limit of its durability"
    case independence = "a lane without a fault delivers, even if other lanes fail"
    case accounted = "every event is delivered or counted with a reason"
    case leftBehind = "the next start finds the events that a close reports as pending"
    case noLoss = "no event is lost without a cause"
    case expiry = "only events that are too old expire"
    case survivesKill = "stored events survive a kill"
    case survivesPowerLoss = "events stored with strict durability, or at least a second earlier, survive a power loss"
    case liveness = "all events are settled after the faults have ended"
    case returns = "every call returns"
    case noDeadlock = "the engine neither deadlocks nor loops forever"
    case noEscape = "the engine runs only on its runtime"
}

/// A violation of a promise in a run.
package struct Violation: Sendable, Hashable, Codable, CustomStringConvertible {
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
