import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation

/// An engine with one lane, a scripted transport and a manual clock.
///
/// Events tracked before ``open()`` are stored as one group, and therefore sent as one batch.
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
    ///
    /// - Parameter defaultConsent: The consent without a decision.
    func open(defaultConsent: Consent = .granted) async throws {
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [destination],
            transport: transport,
            defaultConsent: defaultConsent
        )
        configuration.budget = budget
        configuration.sessionTimeout = nil
        try await engine.open(configuration)
    }

    /// Tracks events whose parameter `n` is their number.
    func track(_ numbers: some Sequence<Int>, options: TrackOptions = TrackOptions()) {
        for number in numbers {
            engine.lane(destination.lane).track("viewed", parameters: ["n": .int(number)], options: options)
        }
    }

    /// Tracks one event and waits until it is stored as a separate group.
    ///
    /// - Returns: The event's id.
    func store(_ number: Int) async -> EventID {
        await engine.lane(destination.lane)
            .trackUntilStored(
                "viewed",
                parameters: ["n": .int(number)],
                options: TrackOptions(durability: .strict)
            ).id
    }

    /// The lane's ledger.
    var ledger: LaneLedger {
        get async { await engine.statistics().first { $0.id == destination.lane }?.ledger ?? LaneLedger() }
    }

    /// Returns a directory for one test, which must remove it.
    static func makeDirectory() -> URL {
        FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    }
}

extension HTTPRequest {
    /// The numbers of the events in the body, in order.
    var numbers: [Int] { body.numbers }

    /// The ids of the events in the body, in order.
    var eventIDs: [String] {
        String(decoding: body, as: UTF8.self).matches(of: /"event_id":"([^"]+)"/).map { String($0.1) }
    }
}

extension [UInt8] {
    /// The numbers of the encoded events, in order.
    var numbers: [Int] {
        String(decoding: self, as: UTF8.self).matches(of: /"n":(\d+)/).compactMap { Int($0.1) }
    }
}

extension ScriptedTransport.Action {
    /// Returns a response with only a status.
    static func status(_ status: Int) -> ScriptedTransport.Action {
        .respond(HTTPResponse(status: status))
    }

    /// Returns a 503 response with a `Retry-After` in seconds.
    static func asking(for seconds: Int) -> ScriptedTransport.Action {
        .respond(HTTPResponse(status: 503, headers: ["Retry-After": "\(seconds)"]))
    }
}
