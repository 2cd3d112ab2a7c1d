import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox

@testable import EventTracking

extension EventBuffer {
    /// The lane that tests track on.
    var lane: DeliveryLane { lane(LineDestination().lane) }

    /// Opens the buffer with the decisions of the store, for the lane and the purpose of ``LineDestination``.
    ///
    /// - Parameters:
    ///   - stored: The decisions.
    ///   - number: The last applied call.
    ///   - denied: The purposes denied before the decisions of this process.
    ///   - updates: The supported profile updates of the destination.
    func open(
        _ stored: [ConsentPurpose: Consent] = [.analytics: .granted],
        through number: UInt64 = 0,
        denied: Set<ConsentPurpose> = [],
        updates: Set<ProfileUpdate> = []
    ) {
        dropDenied(denied, serving: [ServedLane(LineDestination().lane, purpose: .analytics, updates: updates)])
        accept(stored, fallback: .unknown, through: number, isStored: true)
        served.call()
    }

    /// Prepares the decisions for a directory with denials by another process.
    func prepare(unseen: Set<ConsentPurpose> = []) { _ = prepareDecisions(overruling: unseen, denying: []) }

    /// Takes all buffered events, in their order.
    func takeAll() -> [BufferedEvent] {
        var entries: [BufferedEvent] = []
        takeGroup(all: true, now: clock.monotonicTime()).forEach { entries.append($0) }
        return entries
    }
}
