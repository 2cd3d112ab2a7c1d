import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox

@testable import EventDeliveryAPI

extension EventBuffer {
    /// The lane that tests track on.
    var lane: DeliveryLane { lane(LineDestination().lane) }

    /// Opens the buffer with stored decisions, for the lane and the purpose of ``LineDestination``.
    ///
    /// - Parameters:
    ///   - stored: The stored decisions.
    ///   - number: The last stored call, or `nil` if the disk has refused the others.
    ///   - denied: The purposes denied before the decisions of this process.
    ///   - updates: The supported profile updates of the destination.
    func open(
        _ stored: [ConsentPurpose: Consent] = [.analytics: .granted],
        through number: UInt64? = 0,
        denied: Set<ConsentPurpose> = [],
        updates: Set<ProfileUpdate> = []
    ) {
        applyStoredDecisions(
            stored,
            fallback: .unknown,
            denied: denied,
            through: number,
            serving: [ServedLane(LineDestination().lane, purpose: .analytics, updates: updates)]
        )
    }

    /// Prepares the decisions for a directory with a greatest number and with denials that this process has not seen.
    func hold(after greatest: UInt64, unseen: Set<ConsentPurpose> = []) {
        let overruling = Dictionary(uniqueKeysWithValues: unseen.map { ($0, Consent.denied) })
        _ = continueNumbers(after: greatest, overruling: overruling, denying: [])
    }

    /// Takes all buffered events, in their order.
    func takeAll() -> [BufferedEvent] {
        var entries: [BufferedEvent] = []
        takeGroup(all: true, now: clock.monotonicTime()).forEach { entries.append($0) }
        return entries
    }
}
