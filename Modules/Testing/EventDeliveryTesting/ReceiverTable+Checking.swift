import CoreTracker
import CoreTrackerTesting
import DeliveryMetrics
package import EventDelivery
import Locks
package import LoopbackCollector

extension ReceiverTable {
    /// The possible effects in a table.
    ///
    /// The number after a word counts events. All other events are delivered.
    /// - `delivered`: The batch is acknowledged with one request.
    /// - `retried`, `retried after 7 s`: The same request is sent again after a wait.
    /// - `bisected`: The batch is sent in smaller parts until the only faulty event is in quarantine.
    ///   `bisected after 5 attempts` sends the whole batch five times before.
    /// - `split`: The batch is sent in smaller parts, which are all delivered.
    /// - `paused (credentials)`: All events stay in the queue until `resume()`, and the lane only probes. The word in
    ///   parentheses is a `PauseReason`.
    /// - `dropped 2`, `quarantined 1`, `sent again 3`, `retried 3`, separated by commas: Results for single events.
    ///   Events are `sent again` at once, and `retried` after a wait.
    static let effects = [
        "delivered", "retried", "bisected", "split", "paused", "dropped", "quarantined", "sent again",
    ]

    /// Sends each response of the table to a whole engine, over a socket, and compares the effects.
    ///
    /// Each row has an engine in memory, a virtual clock, a collector that responds as the row says, and a batch of
    /// four events. All rows run at once. Errors are a different effect, an unbalanced ledger, a failure without an
    /// explanation, a retry with a changed body, and a pause whose first probe is not within ten seconds.
    ///
    /// - Parameters:
    ///   - service: The service for finding the events in a request.
    ///   - sample: The event to track four times.
    ///   - acceptance: The acknowledgement of a batch.
    ///   - makeDestination: Creates the destination for a receiver.
    /// - Throws: `ContractViolation` with all differences.
    package func check(
        of service: CollectorService,
        sample: OutgoingEvent = .stub(),
        accepting acceptance: CollectorAction = .accept,
        makeDestination: @escaping @Sendable (Endpoint) throws -> any Destination
    ) async throws {
        typealias Difference = (line: Int, text: String)
        let differences: [Difference] = await withTaskGroup(of: Difference?.self) { group in
            for row in rows {
                group.addTask {
                    do {
                        let trial = try RowTrial(row, service, acceptance, makeDestination)
                        let effect = try await trial.run(sample)
                        return effect == row.effect ? nil : (row.line, "\(row.text) is \(effect), not \(row.effect)")
                    } catch {
                        return (row.line, "\(row.text): \(error)")
                    }
                }
            }
            return await group.reduce(into: []) { found, difference in
                if let difference { found.append(difference) }
            }
        }
        guard !differences.isEmpty else { return }
        let texts = differences.sorted { $0.line < $1.line }.map { "\(page):\($0.line): \($0.text)" }
        throw ContractViolation(texts.joined(separator: "\n"))
    }
}

/// A run of one row: an engine, and a receiver that responds as the row says.
private struct RowTrial {
    /// An awaited step of the engine.
    private enum Signal: Sendable {
        case ended(EventOutcome.Kind)
        case retrying(Duration)
        case paused(PauseReason)
    }

    private let row: ReceiverTable.Row
    private let service: CollectorService
    private let receiver: RowReceiver
    private let collector: LoopbackCollector
    private let destination: any Destination
    private let clock = TestClock()
    private let engine: DeliveryEngine

    init(
        _ row: ReceiverTable.Row,
        _ service: CollectorService,
        _ acceptance: CollectorAction,
        _ makeDestination: (Endpoint) throws -> any Destination
    ) throws {
        let receiver = RowReceiver(row, service, acceptance)
        self.row = row
        self.service = service
        self.receiver = receiver
        collector = try LoopbackCollector(services: [service], script: CollectorScript { receiver.action(for: $0) })
        destination = try makeDestination(collector.url)
        engine = DeliveryEngine(clock: clock)
    }

    /// Delivers four events and returns the effect of the row.
    func run(_ sample: OutgoingEvent) async throws -> String {
        let count = min(4, destination.limits.events)
        let signals = signals()
        let lane = engine.lane(destination.lane)
        for _ in 0..<count { lane.track(sample.name, parameters: sample.parameters, defaults: sample.defaults) }
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination]))

        var (first, requestsBefore, retries) = (Signal?.none, 0, 0)
        var tally = (delivered: 0, quarantined: 0, dropped: 0)
        for await signal in signals {
            if case .ended(let kind) = signal {
                switch kind {
                case .delivered: tally.delivered += 1
                case .quarantined: tally.quarantined += 1
                default: tally.dropped += 1
                }
                if tally.delivered + tally.quarantined + tally.dropped == count { break }
                continue
            }
            if first == nil {
                (first, requestsBefore) = (signal, receiver.batches.count)
                try await expectExplanation(true)
            }
            receiver.answered()
            switch signal {
            case .retrying(let wait):
                retries += 1
                guard retries <= 30 else { throw ContractViolation("retried 30 times") }
                clock.advance(by: wait)
            default:
                let wait = await statistics()?.nextAttempt ?? .zero
                guard wait <= .seconds(10) else { throw ContractViolation("one response stops the lane for \(wait)") }
                await engine.resume(destination.lane)
            }
        }
        let isWarned = await statistics()?.lastFailure?.kind == .warned
        try await expectExplanation(isWarned || tally.quarantined + tally.dropped > 0)
        try await LedgerCheck.check(engine)
        let ledger = await statistics()?.ledger ?? LaneLedger()
        guard ledger.delivered == tally.delivered, ledger.quarantined == tally.quarantined, ledger.pending == 0 else {
            throw ContractViolation("the ledger is \(ledger)")
        }
        await engine.close(timeout: .zero)
        return try effect(first, requestsBefore, tally)
    }

    /// Returns the effect in the form of a table's cell.
    private func effect(
        _ first: Signal?,
        _ requestsBefore: Int,
        _ tally: (delivered: Int, quarantined: Int, dropped: Int)
    ) throws -> String {
        let batches = receiver.batches
        let sizes = batches.map(\.ids.count)
        var words = tally.dropped > 0 ? ["dropped \(tally.dropped)"] : []
        if tally.quarantined > 0 { words.append("quarantined \(tally.quarantined)") }
        guard let whole = batches.first, requestsBefore <= 1 else { return "unclear: requests of \(sizes) events" }
        switch first {
        case .paused(let reason): return "paused (\(reason.rawValue))"
        case .retrying(let wait):
            guard batches.count > 1 else { return "unclear: no second request" }
            guard batches[1].ids.count == whole.ids.count else {
                return (words + ["retried \(batches[1].ids.count)"]).joined(separator: ", ")
            }
            guard batches[1] == whole else { throw ContractViolation("a retry has another body") }
            if words == ["quarantined 1"] {
                return "bisected after \(batches.prefix { $0 == whole }.count) attempts"
            }
            let seconds = wait.components.seconds
            return (words + [seconds < 2 ? "retried" : "retried after \(named(seconds)) s"]).joined(separator: ", ")
        default: break
        }
        if batches.count == 1 { return words.isEmpty ? "delivered" : words.joined(separator: ", ") }
        if !words.isEmpty, sizes == [whole.ids.count, tally.delivered] {
            return (words + ["sent again \(tally.delivered)"]).joined(separator: ", ")
        }
        if words.isEmpty { return "split" }
        return words == ["quarantined 1"] ? "bisected" : "unclear: \(words), requests of \(sizes) events"
    }

    /// Returns the row's number of seconds if a wait with a jitter of ten percent is in agreement with it.
    private func named(_ seconds: Int64) -> Int64 {
        let numbers = row.effect.split(separator: " ").compactMap { Int64($0) }
        return numbers.first { $0...($0 + $0 / 10) ~= seconds } ?? seconds
    }

    private func statistics() async -> LaneStatistics? {
        await engine.statistics().first { $0.id == destination.lane }
    }

    private func expectExplanation(_ isExpected: Bool) async throws {
        let explanation = await statistics()?.explanation
        guard (explanation != nil) != isExpected else { return }
        throw ContractViolation(explanation ?? "no explanation")
    }

    /// Returns the steps of the engine from now on.
    private func signals() -> AsyncStream<Signal> {
        let (stream, continuation) = AsyncStream.makeStream(of: Signal.self)
        let (outcomes, diagnostics) = (engine.outcomes(), engine.diagnostics())
        Task {
            for await outcome in outcomes {
                switch outcome.kind {
                case .accepted, .stored, .sent: break
                case .delivered, .quarantined, .dropped:
                    for _ in 0..<outcome.count { continuation.yield(.ended(outcome.kind)) }
                }
            }
            continuation.finish()
        }
        Task {
            for await diagnostic in diagnostics {
                switch diagnostic {
                case .retrying(_, _, let wait): continuation.yield(.retrying(wait))
                case .paused(_, let reason): continuation.yield(.paused(reason))
                default: break
                }
            }
        }
        return stream
    }
}

/// The receiver of one row.
///
/// If the effect depends on the events, it responds as the row says to each batch with the first event, or with several
/// events. Otherwise, it does so until the engine has reacted. All other batches are accepted.
private final class RowReceiver: Sendable {
    /// The events of a request.
    struct Batch: Sendable, Equatable {
        let ids: [String]
        let body: [UInt8]
    }

    private struct State {
        var batches: [Batch] = []
        /// The id of the first event, which is the faulty one.
        var faulty: String?
        var hasReacted = false
        /// Whether the last batch was compressed.
        var wasPacked = false
    }

    private let row: ReceiverTable.Row
    private let service: CollectorService
    private let acceptance: CollectorAction
    private let state = Mutex(State())

    init(_ row: ReceiverTable.Row, _ service: CollectorService, _ acceptance: CollectorAction) {
        self.row = row
        self.service = service
        self.acceptance = acceptance
    }

    /// The batches in the order of arrival.
    var batches: [Batch] { state.withLock { $0.batches } }

    /// Records that the engine has reacted to the row.
    func answered() {
        state.withLock { $0.hasReacted = true }
    }

    func action(for request: CollectedRequest) -> CollectorAction {
        let batch = Batch(ids: service.events(in: request).map(\.id), body: request.body)
        return state.withLock { state in
            // If a batch was refused with gzip, it is repeated at once without it.
            let isPlain = request.headers["content-encoding"] == nil
            if isPlain, state.wasPacked, state.batches.last == batch { state.batches.removeLast() }
            state.batches.append(batch)
            state.wasPacked = !isPlain
            state.faulty = state.faulty ?? batch.ids.first
            let isRefused =
                switch row.effect {
                case "split": batch.ids.count > 1
                case let effect where effect.hasPrefix("bisected") || effect.contains("sent again"):
                    state.faulty.map(batch.ids.contains) ?? false
                default: !state.hasReacted
                }
            return isRefused ? row.action : acceptance
        }
    }
}
