import AdobeTracker
import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Locks
import MultiTracker
import Testing

@Suite(.timeLimit(.minutes(5))) struct AdobeTrackerTests {
    private struct Player {
        let media = AdobeMedia(name: "tr-1", playerName: "app", contentType: "song", length: 180, channel: "radio")
    }

    private let engine = DeliveryEngine(clock: TestClock())
    private let store = TrackerStore()
    private let tracker: Tracker

    init() {
        tracker = Tracker(trackerStore: store)
    }

    @Test func `playback becomes media events of one session after the other`() async throws {
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 202)) }
        try await open(transport)

        tracker.trackPlay()
        tracker.trackPause()
        tracker.trackPlay()
        tracker.trackNext()
        tracker.trackPrevious()
        tracker.trackStop()
        let report = await engine.flush(timeout: .seconds(5))

        let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        let skip = ["media.sessionEnd", "media.sessionStart", "media.play"]
        #expect(report.isDrained)
        #expect(
            body.matches(of: /"eventType":"([A-Za-z._]+)"/).map { String($0.1) }
                == ["media.sessionStart", "media.play", "media.pauseStart", "media.play"] + skip + skip
                + ["media.sessionEnd"]
        )
        #expect(body.contains(Self.start))
        try await LedgerCheck.check(engine)
    }

    /// A change after which earlier events must not be linked to later ones.
    enum Break: CaseIterable {
        case denial, reset, erasure, otherUser
    }

    @Test(arguments: Break.allCases)
    func `after a denial, a reset, an erasure and a change of the user, playback continues in a new session`(
        change: Break
    ) async throws {
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 202)) }
        try await open(transport)
        engine.user.identify("ali")

        tracker.trackPlay()
        _ = await engine.flush(timeout: .seconds(5))
        switch change {
        case .denial:
            try await engine.setConsent(.denied, for: .analytics)
            tracker.trackPause()
            try await engine.setConsent(.granted, for: .analytics)
        case .reset: await engine.reset()
        case .erasure: try await engine.erase(user: "ali")
        case .otherUser: engine.user.clear()
        }
        tracker.trackPlay()
        tracker.trackPause()
        _ = await engine.flush(timeout: .seconds(5))

        let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        let start = ["sessionStart", "play"]
        #expect(
            body.matches(of: /"eventType":"media\.([a-zA-Z]+)"/).map { String($0.1) }
                == start + start + ["pauseStart"]
        )
    }

    @Test func `a pause and a stop after the erasure of a user send nothing of the erased session`() async throws {
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 202)) }
        let ids = Atomic<Int>(0)
        let tracker = AdobeTracker(
            product: "DL",
            on: engine,
            makeSessionID: { "m-\(ids.wrappingAdd(1, ordering: .relaxed).newValue)" }
        )
        try await open(transport)

        engine.user.identify("ali")
        tracker.trackPlay()
        try await engine.erase(user: "ali")
        engine.user.clear()
        tracker.trackPause()
        tracker.trackStop()
        _ = await engine.flush(timeout: .seconds(5))

        let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
        #expect(!body.contains(#""sessionID":"m-1""#))
        #expect(body.contains(#""sessionID":"m-2""#))
        try await LedgerCheck.check(engine)
    }

    @Test func `each call of a capability becomes an XDM event with all of its arguments`() async throws {
        let destination = AdobeDestination(product: "DL", configuration: try AdobeConfiguration(datastreamID: "d-1"))
        store.register(AdobeTracker(product: "DL", on: engine, makeSessionID: { "m-1" }))

        let bodies = try await CapabilityCalls.bodies(of: store, on: engine, to: destination, vendor: .adobe)

        #expect(bodies == (try Fixture.text("capabilities.json")))
    }

    @Test func `one faulty event of a request is quarantined and the others arrive`() async throws {
        let transport = ScriptedTransport { request, _ in
            let events = String(decoding: request.body, as: UTF8.self).split(separator: #""eventType""#).dropFirst()
            guard let index = events.firstIndex(where: { $0.hasPrefix(#":"bad""#) }) else {
                return .respond(HTTPResponse(status: 202))
            }
            let type = "https://ns.adobe.com/aep/errors/EXEG-0306-400"
            let problem = ##"{"type":"\##(type)","title":"Bad","detail":"event #\##(index - 1) of a batch"}"##
            return .respond(HTTPResponse(status: 400, body: Array(problem.utf8)))
        }
        for name in ["good_1", "bad", "good_2"] {
            engine.lane(.adobe(product: "DL")).track(name, parameters: [:])
        }

        try await open(transport)
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.delivered == 2)
        #expect(await engine.quarantine.events().map(\.reason) == ["status 400, Bad"])
        try await LedgerCheck.check(engine)
    }

    @Test func `an app wires Adobe in a few lines`() throws {
        let (engine, store) = (DeliveryEngine.shared, TrackerStore())
        let film = AdobeMedia(name: "dresses", playerName: "player", contentType: "vod", length: 94, channel: "app")
        let adobe = try AdobeConfiguration(datastreamID: "ebebf826-a01f-4458-8cec-ef61de241c93", tenant: "_acme")
        let destination = AdobeDestination(product: "DL", configuration: adobe)
        let outcome = store.register(AdobeTracker(product: "DL", on: engine, media: { film }))

        #expect(outcome == .registered)
        #expect(destination.lane == LaneID(product: "DL", service: "adobe"))
    }

    private func open(_ transport: ScriptedTransport) async throws {
        let adobe = try AdobeConfiguration(datastreamID: "d-1")
        let destination = AdobeDestination(product: "DL", configuration: adobe)
        let media = Player().media
        let tracker = AdobeTracker(product: "DL", on: engine, media: { media }, makeSessionID: { "m-1" })
        store.register(tracker)
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
    }

    private static let start =
        #""mediaCollection":{"sessionID":"m-1","playhead":0,"sessionDetails":{"name":"tr-1","playerName":"app","#
        + #""contentType":"song","length":180,"channel":"radio"}}"#
}

@Suite(.timeLimit(.minutes(5))) struct AdobeTrackerStormTests {
    @Test func `under concurrent playback calls, every media event is inside its session`() async throws {
        let transport = ScriptedTransport { _, _ in .respond(HTTPResponse(status: 202)) }
        let engine = DeliveryEngine(clock: TestClock())
        let number = Atomic<Int>(0)
        let tracker = AdobeTracker(
            product: "DL",
            on: engine,
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
        _ = await engine.flush(timeout: .seconds(5))

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
