import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation

/// An engine with one lane over a scripted transport and a clock that stands still.
///
/// What is tracked before ``open()`` is stored as one group, and so leaves as one batch.
struct LaneHarness {
    let clock: TestClock
    let transport: ScriptedTransport
    let engine: DeliveryEngine
    let destination: LineDestination
    let directory: URL?
    let budget: DeliveryBudget

    init(
        clock: TestClock = TestClock(),
        limits: BatchLimits = BatchLimits(events: 500, bodyBytes: 1_000_000),
        directory: URL? = nil,
        budget: DeliveryBudget = DeliveryBudget(),
        script: @escaping ScriptedTransport.Script = { _, _ in .respond(HTTPResponse(status: 200)) }
    ) {
        self.clock = clock
        transport = ScriptedTransport(script: script)
        engine = DeliveryEngine(clock: clock)
        destination = LineDestination(limits: limits)
        self.directory = directory
        self.budget = budget
    }

    /// Opens the engine.
    func open() async throws {
        try await engine.open(
            DeliveryConfiguration(
                directory: directory,
                destinations: [destination],
                transport: transport,
                budget: budget,
                sessionTimeout: nil
            )
        )
    }

    /// Tracks events whose parameter `n` is their number.
    func track(_ numbers: some Sequence<Int>, options: TrackOptions = TrackOptions()) {
        for number in numbers {
            engine.lane(destination.lane).track("viewed", parameters: ["n": .int(number)], options: options)
        }
    }

    /// Tracks one event, waits until it is stored as a group of its own, and answers its id.
    func store(_ number: Int) async -> EventID {
        await engine.lane(destination.lane)
            .track(
                "viewed",
                parameters: ["n": .int(number)],
                options: TrackOptions(durability: .strict),
                until: .persisted
            ).id
    }

    /// The books of the lane.
    var ledger: LaneLedger {
        get async { await engine.statistics().first { $0.id == destination.lane }?.ledger ?? LaneLedger() }
    }

    /// A directory of a test's own; the test removes it.
    static func makeDirectory() -> URL {
        FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    }
}

extension HTTPRequest {
    /// The numbers of the events in the body, in order.
    var numbers: [Int] {
        String(decoding: body, as: UTF8.self).matches(of: /"n":(\d+)/).compactMap { Int($0.1) }
    }

    /// The ids of the events in the body, in order.
    var eventIDs: [String] {
        String(decoding: body, as: UTF8.self).matches(of: /"event_id":"([^"]+)"/).map { String($0.1) }
    }
}

extension ScriptedTransport.Answer {
    /// An answer with a status and nothing else.
    static func status(_ status: Int) -> ScriptedTransport.Answer {
        .respond(HTTPResponse(status: status))
    }

    /// A 503 that asks for a wait of seconds.
    static func asking(for seconds: Int) -> ScriptedTransport.Answer {
        .respond(HTTPResponse(status: 503, headers: ["Retry-After": "\(seconds)"]))
    }
}
