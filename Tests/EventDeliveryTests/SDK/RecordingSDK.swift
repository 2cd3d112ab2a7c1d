import CoreTracker
import EventDelivery
import Synchronization

/// A destination whose SDK keeps what it is handed, or refuses it as the test says.
final class RecordingSDK: SDKDestination {
    let lane = LaneID(product: "DL", service: "sdk")
    let rules: EventRules
    private let state = Mutex<(events: [SDKEvent], refusal: @Sendable (SDKEvent) -> SDKRefusal?)>(([], { _ in nil }))

    init(
        rules: EventRules = EventRules(
            name: NameRule(maximumLength: 40, alphabet: .text),
            key: NameRule(maximumLength: .max, alphabet: .text),
            maximumParameters: .max,
            maximumTextLength: .max
        )
    ) {
        self.rules = rules
    }

    var events: [SDKEvent] { state.withLock(\.events) }

    func refuse(_ refusal: @escaping @Sendable (SDKEvent) -> SDKRefusal?) {
        state.withLock { $0.refusal = refusal }
    }

    func handOver(_ event: SDKEvent) async throws(SDKRefusal) {
        let refusal = state.withLock { state in
            let refusal = state.refusal(event)
            if refusal == nil { state.events.append(event) }
            return refusal
        }
        if let refusal { throw refusal }
    }
}
