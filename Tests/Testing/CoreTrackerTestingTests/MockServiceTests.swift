import Analytics
import CoreTracker
import CoreTrackerTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct MockFirebaseServiceTests {
    private let service = MockFirebaseService()

    @Test func `an event is visible before track returns, until a reset`() {
        service.track(FirebaseEvent(name: "seen", parameters: ["id": 7]))

        #expect(service.events == [FirebaseEvent(name: "seen", parameters: ["id": 7])])
        service.expect([FirebaseEvent(name: "seen", parameters: ["id": 7])])
        service.reset()
        service.expect([])
    }

    @Test(arguments: ServiceContract.checks)
    func `keeps the contract of a Firebase service`(check: ServiceContract.Check) async throws {
        try await check.run(.firebase(service) { [service] in service.events })
    }

    @Test func `another parameter value fails the expectation`() {
        service.track(FirebaseEvent(name: "seen", parameters: ["id": 7]))

        let failures = ExpectationFailure.all { service.expect([FirebaseEvent(name: "seen", parameters: ["id": 8])]) }

        #expect(failures.count == 1)
    }
}

@Suite(.timeLimit(.minutes(5))) struct MockAwesomeTrackingServiceTests {
    private let service = MockAwesomeTrackingService()

    @Test func `an event is visible before track returns, until a reset`() {
        service.track(AwesomeTrackingEvent(name: "seen", parameters: ["id": 7]))

        #expect(service.events == [AwesomeTrackingEvent(name: "seen", parameters: ["id": 7])])
        service.expect([AwesomeTrackingEvent(name: "seen", parameters: ["id": 7])])
        service.reset()
        service.expect([])
    }

    @Test(arguments: ServiceContract.checks)
    func `keeps the contract of an AwesomeTracking service`(check: ServiceContract.Check) async throws {
        try await check.run(.awesomeTracking(service) { [service] in service.events })
    }

    @Test func `another parameter value fails the expectation`() {
        service.track(AwesomeTrackingEvent(name: "seen", parameters: ["id": 7]))

        let failures = ExpectationFailure.all {
            service.expect([AwesomeTrackingEvent(name: "seen", parameters: ["id": 8])])
        }

        #expect(failures.count == 1)
    }
}

@Suite(.timeLimit(.minutes(5))) struct MockVendorServiceTests {
    private let service = MockVendorService()

    @Test func `an event is visible under its vendor before track returns, until a reset`() {
        service.track(VendorEvent("braze", "seen"))

        #expect(service.events(of: "braze") == [VendorEvent("braze", "seen")])
        #expect(service.events(of: "adobe").isEmpty)
        service.expect([VendorEvent("braze", "seen")])
        service.reset()
        service.expect([])
    }

    @Test(arguments: ServiceContract.checks)
    func `keeps the contract of a vendor service`(check: ServiceContract.Check) async throws {
        try await check.run(.vendor(service, type: "acme") { [service] in service.events(of: "acme") })
    }

    @Test func `the same event of another vendor fails the expectation`() {
        service.track(VendorEvent("braze", "seen"))

        let failures = ExpectationFailure.all { service.expect([VendorEvent("adobe", "seen")]) }

        #expect(failures.count == 1)
    }
}

@Suite struct MockGoogleAnalyticsAdapterTests {
    private let adapter = MockGoogleAnalyticsAdapter()

    @Test func `the adapter receives the event that the service creates from a step`() {
        let adapter = MockGoogleAnalyticsAdapter()
        let service = GoogleAnalyticsService(adapter: adapter)

        service.send(event: Journey.Event(name: "basketOpened", properties: ["itemCount": 2]))

        adapter.expect([GoogleEvent("basketOpened", ["itemCount": 2])])
    }

    @Test func `an event is visible before the call returns, until a reset`() {
        adapter.trackEvent(with: "seen", properties: ["id": 7])

        #expect(adapter.events == [GoogleEvent("seen", ["id": 7])])
        adapter.reset()
        adapter.expect([])
    }

    @Test func `lists, objects and unknown values are compared, and the order of properties is not`() {
        let properties: [String: Any] = ["b": ["x", 1.5], "a": ["z": 1, "y": "2"], "c": Character("c")]
        adapter.trackEvent(with: "seen", properties: properties)

        adapter.expect([GoogleEvent("seen", ["c": "c", "b": ["x", 1.5], "a": ["z": 1, "y": "2"]])])
        #expect(adapter.events[0].properties.map(\.name) == ["a", "b", "c"])
    }

    @Test func `another value fails at the line of the expectation`() {
        adapter.trackEvent(with: "seen", properties: ["id": 7])

        let line = UInt(#line + 1)
        let failures = ExpectationFailure.all { adapter.expect([GoogleEvent("seen", ["id": 8])]) }

        #expect(failures.map(\.line) == [line])
    }
}
