import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import SDKDelivery
import Testing

@Suite struct SDKDestinationTests {
    /// A destination with only the required members.
    private struct PlainSDK: SDKDestination {
        let lane = LaneID(product: "T", service: "plain")

        func send(_ event: SDKEvent) async throws(SDKError) {}
    }

    @Test func `a destination without rules accepts any name and parameters`() throws {
        let note = String(repeating: "o", count: 10_000)
        let parameters: EventParameters = ["Ödeme adımı (2)": ["list": [1, [2.5, true]]], "note": .string(note)]

        let encoded = try PlainSDK().encoded(.stub(name: "Sipariş verildi!", parameters: parameters))

        #expect(encoded.adjustments == [:])
        #expect(encoded.fragment.contains("Sipariş verildi!") && encoded.fragment.contains(note))
        #expect(encoded.fragment.contains(#""Ödeme adımı (2)":{"list":[1,[2.5,true]]}"#))
        #expect(throws: EventEncodingError(rule: "name_empty")) { try PlainSDK().encoded(.stub(name: "")) }
    }

    private let clock = TestClock()
    private let engine: DeliveryEngine
    private let sdk = RecordingSDK()

    init() {
        engine = DeliveryEngine(clock: clock)
    }

    @Test func `events reach the SDK in order, as they were tracked, and count as delivered`() async throws {
        let transport = ScriptedTransport()
        try await open(transport)
        let time = clock.wallTime()
        engine.user.identify("u-1")

        for number in 0..<100 { track("e", ["n": .int(number)], defaults: ["n": -1, "channel": "app"]) }
        engine.user.clear()
        track("last")
        engine.user.identify("")
        track("anonymous")
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(sdk.events.map { $0.parameters["n"] } == (0..<100).map { .int($0) } + [nil, nil])
        #expect(sdk.events[0].parameters == ["n": 0, "channel": "app"])
        #expect(sdk.events.map(\.userID) == Array(repeating: "u-1", count: 100) + [nil, nil])
        #expect(sdk.events.allSatisfy { $0.time == time } && Set(sdk.events.map(\.id)).count == 102)
        #expect(transport.requests.isEmpty)
        #expect(await engine.explain(sdk.events[0].id)?.status == .delivered)
        try await LedgerCheck.check(engine)
    }

    @Test func `refused events are never passed to the SDK, and events without a decision are held`() async throws {
        try await engine.setConsent(.unknown, for: .analytics)
        try await open()

        track("held")
        let held = await engine.flush(timeout: .seconds(5))
        try await engine.setConsent(.granted, for: .analytics)
        _ = await engine.flush(timeout: .seconds(5))
        try await engine.setConsent(.denied, for: .analytics)
        track("denied")
        _ = await engine.flush(timeout: .seconds(5))

        #expect(held.lanes.map(\.outcome) == [.withoutConsent])
        #expect(sdk.events.map(\.name) == ["held"])
        #expect(try #require(await engine.statistics().first).ledger.dropped == [.consentDenied: 1])
        try await LedgerCheck.check(engine)
    }

    @Test func `an SDK that is not ready yet gets everything later, in order and once`() async throws {
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        sdk.refuse { $0.name == "e3" ? .notReady : nil }
        for number in 0..<6 { track("e\(number)") }
        try await open()

        let wait = try #require(await diagnostics.nextRetry())
        let before = sdk.events.map(\.name)
        sdk.refuse { _ in nil }
        clock.advance(by: wait)
        let report = await engine.flush(timeout: .seconds(5))

        #expect(before == ["e0", "e1", "e2"])
        #expect(report.isDrained)
        #expect(sdk.events.map(\.name) == (0..<6).map { "e\($0)" })
        try await LedgerCheck.check(engine)
    }

    @Test func `an event that the SDK cannot take is quarantined with its reason, and the others go on`() async throws {
        sdk.refuse { $0.name == "bad" ? .invalidEvent("no\nsuch thing") : nil }
        for name in ["good 1", "bad", "good 2"] { track(name) }

        try await open()
        _ = await engine.flush(timeout: .seconds(5))

        #expect(sdk.events.map(\.name) == ["good 1", "good 2"])
        #expect(await engine.quarantine.events().map(\.reason) == ["no such thing"])
        try await LedgerCheck.check(engine)
    }

    @Test func `events that break rules are refused or adjusted, and counted`() async throws {
        try await open()

        track(String(repeating: "n", count: 41))
        track("e", ["": 1, "ok": .double(.nan), "kept": 2])
        _ = await engine.flush(timeout: .seconds(5))

        let ledger = try #require(await engine.statistics().first).ledger
        #expect(sdk.events.map(\.parameters) == [["kept": 2]])
        #expect(ledger.adjusted == ["key_empty": 1, "value_not_finite": 1])
        #expect(ledger.dropped.values.reduce(0, +) == 1)
    }

    @Test func `events stored by a terminated process are passed on unchanged by the next one`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sdk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let parameters: EventParameters = [
            "text": "\"},{\n\u{0}\u{2028}👩‍👩‍👧 ü\\", "whole": .int(.min), "double": 420.0,
            "small": .double(.leastNonzeroMagnitude),
            "flag": true, "list": [1, 2.5, ["deep": ["x"]], []], "object": [:], "\"key\\": 1,
        ]
        sdk.refuse { _ in .notReady }

        track("e", parameters)
        try await open(directory: folder)
        await engine.close(timeout: .zero)
        sdk.refuse { _ in nil }
        let next = DeliveryEngine(clock: clock)
        try await next.open(configuration(directory: folder))
        _ = await next.flush(timeout: .seconds(5))

        #expect(sdk.events.map(\.parameters) == [parameters])
        #expect(sdk.events.map(\.name) == ["e"])
        await next.close(timeout: .zero)
    }

    @Test(arguments: [true, false])
    func `events stored for another kind of destination are quarantined, and the lane continues`(
        endsInSDK: Bool
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sdk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let kinds: [any Destination] = [LineDestination(lane: sdk.lane), sdk]
        let (before, after) = endsInSDK ? (kinds[0], kinds[1]) : (kinds[1], kinds[0])
        let transport = ScriptedTransport { _, _ in .fail(.timedOut) }
        sdk.refuse { _ in .notReady }
        for _ in 0..<100 { track("old") }
        try await engine.open(
            DeliveryConfiguration(directory: folder, destinations: [before], transport: transport)
        )
        await engine.close(timeout: .zero)

        sdk.refuse { _ in nil }
        let (next, answering) = (DeliveryEngine(clock: clock), ScriptedTransport())
        try await next.open(DeliveryConfiguration(directory: folder, destinations: [after], transport: answering))
        next.lane(sdk.lane).track("new", parameters: [:])
        let report = await next.flush(timeout: .seconds(5))

        let ledger = try #require(await next.statistics().first).ledger
        #expect(report.isDrained && ledger.delivered == 1 && ledger.quarantined == 100)
        #expect(Set(await next.quarantine.events().map(\.reason)) == ["other_destination"])
        #expect(sdk.events.map(\.name) == (endsInSDK ? ["new"] : []))
        #expect(answering.requests.count == (endsInSDK ? 0 : 1))
        try await LedgerCheck.check(next)
        await next.close(timeout: .zero)
    }

    @Test(.timeLimit(.minutes(5)))
    func `an error in the middle of a batch returns, and the SDK is called no more`() async throws {
        sdk.stick(at: "e1")
        for number in 0..<4 { track("e\(number)") }
        try await open()
        await sdk.waitUntilStuck()

        try await engine.setConsent(.denied, for: .analytics)
        sdk.release()
        await engine.close(timeout: .seconds(5))

        #expect(sdk.events.map(\.name) == ["e0", "e1"])
        let ledger = try #require(await engine.statistics().first).ledger
        #expect(ledger.pending == 0 && ledger.delivered + (ledger.dropped[.consentDenied] ?? 0) == 4)
    }

    @Test(.timeLimit(.minutes(5)))
    func `an interrupted batch is passed on again with the same ids, in order`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "sdk-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        sdk.stick(at: "e1")
        for number in 0..<3 { track("e\(number)") }
        try await open(directory: folder)
        await sdk.waitUntilStuck()

        await engine.close(timeout: .zero)
        let first = sdk.events
        sdk.release()
        let next = DeliveryEngine(clock: clock)
        try await next.open(configuration(directory: folder))
        let report = await next.flush(timeout: .seconds(5))

        let ids = sdk.events.dropFirst(first.count)
        #expect(report.isDrained)
        #expect(first.map(\.name) == ["e0", "e1"])
        #expect(ids.map(\.name) == ["e0", "e1", "e2"])
        #expect(ids.prefix(2).map(\.id) == first.map(\.id))
        try await LedgerCheck.check(next)
        await next.close(timeout: .zero)
    }

    @Test(.timeLimit(.minutes(5))) func `many threads track while a slow SDK is fed, and nothing is lost`() async throws
    {
        try await open()

        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask {
                    for number in 0..<100 { track("t\(thread)", ["n": .int(number)]) }
                }
            }
        }
        let report = await engine.flush(timeout: .seconds(30))

        #expect(report.isDrained && sdk.events.count == 800)
        for thread in 0..<8 {
            let numbers = sdk.events.filter { $0.name == "t\(thread)" }.map { $0.parameters["n"] }
            #expect(numbers == (0..<100).map { .int($0) })
        }
        try await LedgerCheck.check(engine)
    }

    @Test func `a lane that ends in an SDK leaves the requests of the others alone`() async throws {
        let transport = ScriptedTransport()
        let line = LineDestination(lane: LaneID(product: "DL", service: "line"))
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [sdk, line], transport: transport)
        )

        track("to the SDK")
        engine.lane(line.lane).track("to the receiver", parameters: [:])
        let report = await engine.flush(timeout: .seconds(5))

        #expect(report.isDrained)
        #expect(sdk.events.map(\.name) == ["to the SDK"])
        #expect(transport.requests.count == 1)
    }

    private func track(_ name: String, _ parameters: EventParameters = [:], defaults: EventParameters = [:]) {
        engine.lane(sdk.lane).track(name, parameters: parameters, defaults: defaults)
    }

    private func open(_ transport: ScriptedTransport = ScriptedTransport(), directory: URL? = nil) async throws {
        try await engine.open(configuration(transport, directory: directory))
    }

    private func configuration(
        _ transport: ScriptedTransport = ScriptedTransport(),
        directory: URL?
    ) -> DeliveryConfiguration {
        DeliveryConfiguration(directory: directory, destinations: [sdk], transport: transport)
    }
}
