import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5))) struct IdentityTests {
    @Test func `an event keeps the user at the time of tracking`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock(), capacity: 100_000)
        try await engine.open(configuration(transport))
        let lane = engine.lane(LineDestination().lane)

        for _ in 1...1000 {
            engine.user.identify("A")
            lane.track("1", parameters: [:])
            await engine.reset()
            lane.track("2", parameters: [:])
            engine.user.identify("B")
            lane.track("3", parameters: [:])
        }
        _ = await engine.flush(timeout: .seconds(1))

        let pairs = bodies(transport).matches(of: /"name":"(\d)","seq":\d+,"session":"[^"]*","user":"(\w*)"/)
        #expect(pairs.count == 3000)
        #expect(Set(pairs.map { "\($0.1)\($0.2)" }) == ["1A", "2", "3B"])
        try await LedgerCheck.check(engine)
    }

    @Test func `threads that switch users never misattribute an event`() async throws {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock(), capacity: 100_000)
        try await engine.open(configuration(transport))
        let lane = engine.lane(LineDestination().lane)

        await withTaskGroup(of: Void.self) { group in
            for thread in 1...16 {
                group.addTask {
                    for number in 1...100 {
                        engine.user.identify("u\(thread)")
                        lane.track("t", parameters: ["number": .int(number), "thread": .int(thread)])
                    }
                }
            }
        }
        _ = await engine.flush(timeout: .seconds(1))

        let users = bodies(transport).matches(of: /"user":"(u\d+)"/).map { String($0.1) }
        #expect(users.count == 1600)
        #expect(Set(users).isSubset(of: Set((1...16).map { "u\($0)" })))
        try await LedgerCheck.check(engine)
    }

    @Test func `clearing the user keeps session and installation, a reset changes both`() async throws {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(ScriptedTransport()))
        engine.user.identify("A")
        let before = engine.identity

        engine.user.clear()
        let cleared = engine.identity
        await engine.reset()
        let reset = engine.identity

        #expect(before.userID == "A")
        #expect(cleared.userID == nil)
        #expect(cleared.sessionID == before.sessionID && cleared.deviceID == before.deviceID)
        #expect(reset.sessionID != before.sessionID && reset.deviceID != before.deviceID)
        #expect(reset.deviceID.count == 32)
    }

    @Test func `an installation keeps its id across restarts until it is reset`() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }

        let first = try await deviceID(directory) { _ in }
        let second = try await deviceID(directory) { await $0.reset() }
        let third = try await deviceID(directory) { _ in }

        #expect(first.after == second.before)
        #expect(third.before == second.after)
        #expect(second.after != second.before)
    }

    @Test func `the installation's id stays with the waiting events, and a denial of all purposes deletes both`()
        async throws
    {
        let queue = try TemporaryQueue()
        let engine = DeliveryEngine(clock: TestClock())
        var configuration = configuration(ScriptedTransport(), queue.url)
        configuration.defaultConsent = .unknown
        try await engine.open(configuration)
        let before = engine.identity
        engine.lane(LineDestination().lane).track("waits", parameters: [:])
        await engine.storeBuffered()
        let waiting = try queue.contents()

        try await engine.setConsent(.denied, for: .analytics)

        let after = engine.identity.deviceID
        #expect(waiting.contains("waits") && waiting.contains(before.deviceID))
        #expect(after != before.deviceID && after.count == 32)
        let contents = try queue.contents()
        for text in ["waits", before.deviceID, before.sessionID, after] { #expect(!contents.contains(text)) }
        await engine.close(timeout: .zero)
    }

    /// One purpose for each letter of a run: `a` analytics, `m` marketing; upper case grants, lower case denies.
    @Test(arguments: [
        (["", "", "", "A"], 1), (["", "m", "A", ""], 1), (["", "A", "m", ""], 1), (["m", "", "A"], 1), (["mA"], 1),
        (["Am"], 1), (["A", "a", "A"], 1), (["A", "aM", "m"], 2), (["", "am", ""], 3), (["am", "A", ""], 3),
    ]) func `one phone is one installation and one session until all purposes are denied`(
        runs: [String],
        count: Int
    ) async throws {
        let queue = try TemporaryQueue()
        let clock = TestClock()
        var (devices, sessions): ([String], [String]) = ([], [])
        for run in runs {
            let engine = DeliveryEngine(clock: clock)
            let lanes = [ConsentPurpose.analytics, .marketing].map { LaneID(product: "U", service: $0.name) }
            var configuration = DeliveryConfiguration(
                directory: queue.url,
                destinations: zip(lanes, [.analytics, .marketing]).map { LineDestination(lane: $0, purpose: $1) },
                transport: ScriptedTransport()
            )
            configuration.defaultConsent = .unknown
            try await engine.open(configuration)
            func note() {
                for lane in lanes { engine.lane(lane).track("seen", parameters: [:]) }
                devices.append(engine.identity.deviceID)
                sessions.append(engine.identity.sessionID)
            }
            note()
            for letter in run {
                let purpose: ConsentPurpose = letter.lowercased() == "a" ? .analytics : .marketing
                try await engine.setConsent(letter.isUppercase ? .granted : .denied, for: purpose)
                note()
            }
            await engine.close(timeout: .zero)
            clock.advance(by: .seconds(60))
        }

        #expect(Set(devices).count == count)
        if count == 1 { #expect(Set(sessions).count == 1) }
    }

    @Test func `further denials do not replace an installation's id`()
        async throws
    {
        let queue = try TemporaryQueue()
        let engine = DeliveryEngine(clock: TestClock())
        let held = LineDestination(lane: LaneID(product: "U", service: "held"), purpose: .marketing)
        var configuration = DeliveryConfiguration(
            directory: queue.url,
            destinations: [LineDestination(), held],
            transport: ScriptedTransport()
        )
        configuration.consent = [.analytics: .granted, .marketing: .unknown]
        try await engine.open(configuration)
        let granted = engine.identity.deviceID

        try await engine.setConsent(.denied, for: .analytics)
        let undecided = engine.identity.deviceID
        try await engine.setConsent(.denied, for: .marketing)
        let denied = engine.identity.deviceID
        for purpose in [.analytics, ConsentPurpose("ads")] { try await engine.setConsent(.denied, for: purpose) }

        #expect(undecided == granted && denied != granted)
        #expect(engine.identity.deviceID == denied)
        await engine.close(timeout: .zero)
    }

    @Test func `an engine without destinations and decisions keeps its installation`() async throws {
        let queue = try TemporaryQueue()
        var ids: Set<String> = []
        for _ in 1...3 {
            let engine = DeliveryEngine(clock: TestClock())
            var configuration = DeliveryConfiguration(
                directory: queue.url,
                destinations: [],
                transport: ScriptedTransport()
            )
            configuration.defaultConsent = .unknown
            try await engine.open(configuration)
            ids.insert(engine.identity.deviceID)
            await engine.close(timeout: .zero)
        }

        #expect(ids.count == 1)
    }

    @Test func `a reset survives a killed process once it has returned`() async throws {
        let queue = try TemporaryQueue()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(ScriptedTransport(), queue.url))

        for _ in 1...8 {
            await engine.reset()
            // The files now have the contents left by a killed process.
            let left = try queue.copy()
            let next = try await deviceID(left.url) { _ in }
            #expect(next.before == engine.identity.deviceID)
        }

        await engine.close(timeout: .zero)
    }

    @Test func `a new session starts after half an hour without events`() async throws {
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        try await engine.open(configuration(ScriptedTransport()))
        let lane = engine.lane(LineDestination().lane)
        lane.track("1", parameters: [:])
        let first = engine.identity

        clock.advance(by: .seconds(29 * 60))
        lane.track("2", parameters: [:])
        let second = engine.identity
        clock.advance(by: .seconds(31 * 60))
        lane.track("3", parameters: [:])
        let third = engine.identity

        #expect(second.sessionID == first.sessionID)
        #expect(third.sessionID != first.sessionID)
        #expect(third.sessionStart == clock.wallTime())
    }

    private func deviceID(
        _ directory: URL,
        _ change: (DeliveryEngine) async -> Void
    ) async throws -> (before: String, after: String) {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(configuration(ScriptedTransport(), directory))
        let before = engine.identity.deviceID
        await change(engine)
        let after = engine.identity.deviceID
        await engine.close(timeout: .zero)
        return (before, after)
    }

    private func configuration(_ transport: ScriptedTransport, _ directory: URL? = nil) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: directory, destinations: [LineDestination()], transport: transport)
    }

    private func bodies(_ transport: ScriptedTransport) -> String {
        transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
    }
}
