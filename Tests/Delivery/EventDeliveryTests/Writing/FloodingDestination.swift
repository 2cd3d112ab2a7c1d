import CoreTracker
import EventDeliveryTesting
import Locks

@testable import EventDelivery

/// A destination that tracks more events while it encodes the last one, so the buffer is full again after each group.
struct FloodingDestination: DestinationWrapper {
    let base: any Destination = LineDestination(limits: BatchLimits(events: 100, bodyBytes: 1_000_000))
    let flood: Flood

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        _ = flood.devices.withLock { $0.insert(event.identity.deviceID) }
        if let value = event.parameters["n"], case .int(let number) = value { flood.reach(number) }
        try base.encode(event, into: &encoder)
    }
}

/// Events that come in groups, numbered from 1 in the parameter `n`.
final class Flood: Sendable {
    private struct State {
        var tracked = 0
        var receipts: [Int: CheckedContinuation<Receipt, Never>] = [:]
    }

    /// The events of a group.
    static let groupSize = 300
    /// The installations of the encoded events.
    let devices = Mutex<Set<String>>([])
    /// The number of events.
    let count: Int
    private let buffer: EventBuffer
    private let options: @Sendable (Int) -> TrackOptions
    private let onReach: @Sendable (Int) -> Void
    private let state = Mutex(State())

    init(
        groups: Int,
        into buffer: EventBuffer,
        options: @escaping @Sendable (Int) -> TrackOptions = { _ in TrackOptions() },
        onReach: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        count = groups * Flood.groupSize
        self.buffer = buffer
        self.options = options
        self.onReach = onReach
    }

    /// Tracks the first group, or the next one when the last event is encoded for the first time.
    func reach(_ number: Int) {
        onReach(number)
        let next: Range<Int> = state.withLock { state in
            guard number == state.tracked, number < count else { return 0..<0 }
            state.tracked += Flood.groupSize
            return (number + 1)..<(state.tracked + 1)
        }
        for number in next { track(number) }
    }

    /// Tracks the first group when all receipts are awaited, and returns their outcomes.
    func receipts(of numbers: [Int], while body: () async -> Void) async -> [Int: Receipt.Outcome] {
        let isWaiting = WakeSignal()
        async let outcomes = withTaskGroup(of: (Int, Receipt.Outcome).self) { group in
            for number in numbers {
                group.addTask {
                    let receipt = await withCheckedContinuation { continuation in
                        let count = self.state.withLock { state in
                            state.receipts[number] = continuation
                            return state.receipts.count
                        }
                        if count == numbers.count { isWaiting.signal() }
                    }
                    return (number, receipt.outcome)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        await isWaiting.wait()
        reach(0)
        await body()
        return await outcomes
    }

    /// Tracks an event that belongs to no group.
    func trackAlone(_ number: Int) {
        track(number)
    }

    private func track(_ number: Int) {
        buffer.accept(
            lane: 0,
            id: LineDestination().lane,
            consent: LaneConsent(),
            name: "viewed",
            parameters: ["n": .int(number)],
            defaults: [:],
            options: options(number),
            receipt: state.withLock { $0.receipts[number].map(PendingReceipt.init) }
        )
    }
}
