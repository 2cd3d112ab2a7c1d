import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct TrackingScopeTests {
    private let destination = RecordingDestination(lane: LaneID(product: "T", service: "lines"))
    private let engine = DeliveryEngine(clock: TestClock(), capacity: 65_536)
    private let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }

    @Test func `the own parameters come before the scope's, and those before the feature's`() async throws {
        try await open()
        engine.user.identify("engine")

        withTracking(user: "ada", session: "s1", parameters: ["a": "scope", "b": "scope"]) {
            track("viewed", ["a": "own"], over: ["a": "feature", "b": "feature", "c": "feature"])
        }
        track("viewed", [:], over: ["a": "feature"])
        await engine.storeBuffered()

        let events = destination.events
        #expect(events.map(\.mergedParameters) == [["a": "own", "b": "scope", "c": "feature"], ["a": "feature"]])
        #expect(events.map(\.identity.userID) == ["ada", "engine"])
        #expect(events.first?.identity.sessionID == "s1")
        #expect(events.last?.identity.sessionID == engine.identity.sessionID)
        #expect(events.map(\.identity.isDeviceDerived) == [true, false])
    }

    @Test func `a scope's device is its own, else a hash of its user or session, never the installation`() async throws
    {
        withTracking(user: "early") { track("before the opening") }
        try await open()

        withTracking(device: "cookie-7", user: "ada") {
            track("device")
            withTracking(user: "bob") { track("outer device") }
        }
        withTracking(user: "ada", session: "s1") { track("ada") }
        withTracking(session: "s2") {
            withTracking(user: "ada") { track("ada again") }
            withTracking(user: "bob") { track("bob") }
            track("visitor")
        }
        withTracking(device: "", session: "ada") { track("session like a user") }
        withTracking(parameters: ["a": 1]) { track("installation") }
        await engine.storeBuffered()

        let devices = Dictionary(uniqueKeysWithValues: destination.events.map { ($0.name, $0.identity.deviceID) })
        #expect(devices["device"] == "cookie-7" && devices["outer device"] == "cookie-7")
        #expect(devices["ada"] == devices["ada again"])
        #expect(devices["installation"] == engine.identity.deviceID)
        #expect(Set(devices.values).count == 7)
        let derived = destination.events.filter(\.identity.isDeviceDerived)
        #expect(
            derived.map(\.name).sorted() == [
                "ada", "ada again", "before the opening", "bob", "session like a user", "visitor",
            ]
        )
        #expect(derived.allSatisfy { $0.identity.deviceID.utf8.count == 32 })
    }

    @Test func `a device's id that is too long drops the scope's events`() async throws {
        try await open()

        withTracking(device: String(repeating: "d", count: 4_097)) { track("lost") }
        await engine.storeBuffered()

        #expect(destination.events.isEmpty)
        #expect(await engine.statistics().first?.ledger.dropped == [.idTooLong: 1])
    }

    @Test func `scopes nest, child tasks inherit them, and they end with their closure`() async throws {
        try await open()

        await withTracking(user: "ada", parameters: ["a": 1]) {
            await withTracking(session: "inner", parameters: ["b": 2]) {
                await withTaskGroup { group in
                    group.addTask { track("child") }
                }
            }
            track("outer")
        }
        track("outside")
        await engine.storeBuffered()

        let events = destination.events
        #expect(events.map(\.name) == ["child", "outer", "outside"])
        #expect(events.map(\.identity.userID) == ["ada", "ada", nil])
        #expect(events.map { $0.identity.sessionID == "inner" } == [true, false, false])
        #expect(events.map(\.mergedParameters) == [["a": 1, "b": 2], ["a": 1], []])
    }

    @Test func `a thousand concurrent scopes do not mix`() async throws {
        try await open()

        await withTaskGroup { group in
            for number in 0..<1_000 {
                group.addTask {
                    await withTracking(user: "u\(number)", session: "s\(number)", parameters: ["request": .int(number)])
                    {
                        for step in 0..<5 {
                            track("step", ["step": .int(step)])
                            await Task.yield()
                        }
                    }
                }
            }
        }
        await engine.storeBuffered()

        let events = destination.events
        #expect(events.count == 5_000)
        var steps: [String: [ParameterValue?]] = [:]
        for event in events {
            let parameters = event.mergedParameters
            let number = event.identity.sessionID.dropFirst()
            #expect(event.identity.userID == "u\(number)")
            #expect(parameters["request"] == Int(number).map { .int($0) })
            steps[event.identity.sessionID, default: []].append(parameters["step"])
        }
        #expect(steps.count == 1_000)
        #expect(steps.values.allSatisfy { $0 == [0, 1, 2, 3, 4] })
    }

    @Test func `an erasure finds the events of a scope's user`() async throws {
        try await open()
        for user in ["ada", "bob"] {
            withTracking(user: user) { for _ in 1...3 { track("viewed") } }
        }
        await engine.storeBuffered()
        withTracking(user: "ada") { track("viewed") }

        let erased = try await engine.erase(user: "ada")

        #expect(erased == 4)
        #expect(await engine.statistics().map(\.ledger.pending) == [3])
    }

    @Test func `after a reset, events of a running scope with parameters alone have the new installation`() async throws
    {
        try await open()
        engine.user.identify("ada")

        await withTracking(parameters: ["a": 1]) {
            track("before")
            await engine.reset()
            track("after")
        }
        await engine.storeBuffered()

        let events = destination.events
        #expect(events.map(\.identity.userID) == ["ada", nil])
        #expect(Set(events.map(\.identity.deviceID)).count == 2)
    }

    @Test func `a scope with a session does not keep the engine's session alive`() async throws {
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        try await open(engine, sessionTimeout: .seconds(60))
        let first = engine.identity.sessionID

        clock.advance(by: .seconds(61))
        withTracking(session: "s1") { engine.lane(destination.lane).track("viewed", parameters: [:]) }
        let duringScope = engine.identity.sessionID
        engine.lane(destination.lane).track("viewed", parameters: [:])

        #expect(duringScope == first)
        #expect(engine.identity.sessionID != first)
    }

    private func track(_ name: String, _ parameters: EventParameters = [:], over defaults: EventParameters = [:]) {
        engine.lane(destination.lane).track(name, parameters: parameters, defaults: defaults)
    }

    private func open(_ other: DeliveryEngine? = nil, sessionTimeout: Duration? = nil) async throws {
        var configuration = DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        configuration.sessionTimeout = sessionTimeout
        try await (other ?? engine).open(configuration)
    }
}
