import AdobeTracker
import EventDelivery
import EventDeliveryTesting
import Locks
import MultiTracker
import Testing

@Suite struct AdobeTrackerStormTests {
    @Test func `under concurrent playback calls, every media event is inside its session`() async throws {
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 202)) }
        let engine = DeliveryEngine(clock: TestClock())
        let number = Atomic<Int>(0)
        let tracker = AdobeTracker(
            product: "DL",
            delivery: engine,
            makeSessionID: { "m\(number.wrappingAdd(1, ordering: .relaxed).newValue)" }
        )
        let adobe = AdobeDestination(product: "DL", configuration: try AdobeConfiguration(datastreamID: "d-1"))

        await withTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<50 { Self.call(task + round, tracker) }
                }
            }
        }
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [adobe], transport: transport))
        _ = await engine.flush(deadline: .seconds(5))

        let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        let events = body.matches(of: /"eventType":"media\.([a-zA-Z]+)".*?"sessionID":"(m\d+)"/)
        var current: Substring?
        for event in events {
            if event.1 == "sessionStart" { current = event.2 }
            #expect(event.2 == current)
            if event.1 == "sessionEnd" { current = nil }
        }
        #expect(!events.isEmpty)
        try await LedgerCheck.check(engine)
    }

    private static func call(_ number: Int, _ tracker: AdobeTracker) {
        switch number % 4 {
        case 0: tracker.trackPlay()
        case 1: tracker.trackPause()
        case 2: tracker.trackNext()
        default: tracker.trackStop()
        }
    }
}
