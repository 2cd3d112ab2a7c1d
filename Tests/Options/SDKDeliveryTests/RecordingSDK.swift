import CoreTracker
import EventDelivery
import Locks
import SDKDelivery
import VendorRules

/// A destination whose SDK records its events or refuses them, as scripted.
final class RecordingSDK: SDKDestination {
    let lane = LaneID(product: "DL", service: "sdk")
    let rules: EventRules
    private let stuckAt = Mutex<String?>(nil)
    private let stuck = AsyncStream.makeStream(of: Void.self)
    private let released = AsyncStream.makeStream(of: Never.self)
    private let state = Mutex<(events: [SDKEvent], error: @Sendable (SDKEvent) -> SDKError?)>(([], { _ in nil }))

    init(
        rules: EventRules = EventRules(
            name: NameRule(maximumLength: 40, alphabet: .anyExceptControlCharacters),
            key: NameRule(maximumLength: .max, alphabet: .anyExceptControlCharacters),
            maximumParameters: .max,
            maximumStringLength: .max
        )
    ) {
        self.rules = rules
    }

    var events: [SDKEvent] { state.withLock(\.events) }

    func refuse(_ error: @escaping @Sendable (SDKEvent) -> SDKError?) {
        state.withLock { $0.error = error }
    }

    /// Makes the SDK's call for an event with this name block until ``release()``.
    func stick(at name: String) { stuckAt.withLock { $0 = name } }

    /// Waits until the SDK blocks.
    func waitUntilStuck() async { for await _ in stuck.stream { return } }

    /// Lets the blocked call return.
    func release() {
        stuckAt.withLock { $0 = nil }
        released.continuation.finish()
    }

    func send(_ event: SDKEvent) async throws(SDKError) {
        let error = state.withLock { state in
            let error = state.error(event)
            if error == nil { state.events.append(event) }
            return error
        }
        if let error { throw error }
        guard stuckAt.withLock({ $0 == event.name }) else { return }
        stuck.continuation.yield()
        let release = released.stream
        // A separate task is not cancelled with its caller, like an SDK.
        await Task { for await _ in release {} }.value
    }
}
