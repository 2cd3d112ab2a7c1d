import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import EventTracking
import FeatureFlags
import Testing

@Suite(.timeLimit(.minutes(5))) struct FeatureFlagsTests {
    private let settings = ProductSettings("TR") { ["storefront": .string($0)] }
    private let tracker = MockTracker()

    @Test func `a flag is a default parameter until it is removed`() throws {
        let engine = DeliveryEngine(clock: TestClock())

        try settings.setFlag("checkout", "b", tracker: tracker, on: engine)
        let set = settings.defaults
        settings.update { $0 = "AZ" }
        let updated = settings.defaults
        try settings.setFlag("checkout", nil, tracker: tracker, on: engine)

        #expect(set == ["storefront": "TR", "flag_checkout": "b"])
        #expect(updated == ["storefront": "AZ", "flag_checkout": "b"])
        #expect(settings.defaults == ["storefront": "AZ"])
    }

    @Test func `an exposure is tracked once per session and variant`() throws {
        let engine = DeliveryEngine(clock: TestClock())

        for variant in ["a", "a", "b", "b", "a"] {
            try settings.setFlag("checkout", variant, tracker: tracker, on: engine)
        }
        engine.startSession()
        try settings.setFlag("checkout", "b", tracker: tracker, on: engine)

        tracker.expect(["a", "b", "b"].map { FlagExposed(flag: "checkout", variant: $0) })
    }

    @Test func `an exposure after a long pause is tracked and starts the session`() async throws {
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        let lane = LaneID.firebase(product: "DL")
        var configuration = DeliveryConfiguration(
            directory: nil,
            destinations: [LineDestination(lane: lane)],
            transport: ScriptedTransport()
        )
        configuration.sessionTimeout = .seconds(60)
        try await engine.open(configuration)
        let tracker = LaneTracker(service: LaneService(product: "DL", on: engine))

        try settings.setFlag("checkout", "b", tracker: tracker, on: engine)
        clock.advance(by: .seconds(61))
        for _ in 1...3 { try settings.setFlag("checkout", "b", tracker: tracker, on: engine) }

        #expect(await engine.statistics().first { $0.id == lane }?.ledger.accepted == 2)
    }

    @Test func `each user of a session has own variants and exposures`() throws {
        let engine = DeliveryEngine(clock: TestClock())
        func setFlag(_ variant: String) throws {
            try settings.setFlag("checkout", variant, tracker: tracker, on: engine)
        }

        try setFlag("a")
        engine.user.identify("ada")
        let afterIdentify = settings.defaults
        try setFlag("a")
        engine.user.identify("bob")
        try setFlag("b")
        let ofBob = settings.defaults
        engine.user.identify("ada")
        try setFlag("a")

        #expect(afterIdentify == ["storefront": "TR"])
        #expect(ofBob == ["storefront": "TR", "flag_checkout": "b"])
        tracker.expect(["a", "a", "b"].map { FlagExposed(flag: "checkout", variant: $0) })
    }

    @Test func `identifying the same user again keeps the variants`() throws {
        let engine = DeliveryEngine(clock: TestClock())
        engine.user.identify("ada")
        try settings.setFlag("checkout", "a", tracker: tracker, on: engine)

        engine.user.identify("ada")
        engine.startSession()

        #expect(settings.defaults == ["storefront": "TR", "flag_checkout": "a"])
    }

    @Test func `each scope with a device, a user or a session has own variants and exposures`() throws {
        let engine = DeliveryEngine(clock: TestClock())
        func setFlag(_ variant: String?) throws -> EventParameters {
            try settings.setFlag("checkout", variant, tracker: tracker, on: engine)
            return settings.defaults
        }

        let outside = try setFlag("a")
        let ofScopes = try ["ada", "bob"].map { user in
            try withTracking(user: user) { (settings.defaults, try setFlag("b")) }
        }
        let ofDevices = try ["cookie-1", "cookie-2", "cookie-2"].map { device in
            try withTracking(device: device) { try setFlag("e") }
        }
        let ofSession = try withTracking(session: "s") { try setFlag("c") }
        let removed = try withTracking(user: "ada") { try setFlag(nil) }
        let nested = try withTracking(user: "eva", session: "e") {
            _ = try setFlag("d")
            return withTracking(parameters: ["page": 1]) { settings.defaults }
        }
        let withoutIdentity = withTracking(parameters: ["page": 1]) { settings.defaults }

        #expect(ofScopes.map(\.0) == Array(repeating: ["storefront": "TR"], count: 2))
        #expect(ofScopes.map(\.1) == Array(repeating: ["storefront": "TR", "flag_checkout": "b"], count: 2))
        #expect(ofDevices == Array(repeating: ["storefront": "TR", "flag_checkout": "e"], count: 3))
        #expect(ofSession == ["storefront": "TR", "flag_checkout": "c"])
        #expect(removed == ["storefront": "TR"])
        #expect(nested == ["storefront": "TR", "flag_checkout": "d"])
        #expect(withoutIdentity == outside)
        #expect(settings.defaults == outside)
        tracker.expect(["a", "b", "b", "e", "e", "c", "d"].map { FlagExposed(flag: "checkout", variant: $0) })
    }

    @Test func `concurrent tasks at the start of a session expose a variant once`() async throws {
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        var configuration = DeliveryConfiguration(directory: nil, destinations: [LineDestination()])
        configuration.sessionTimeout = .seconds(60)
        try await engine.open(configuration)
        let (settings, tracker) = (settings, tracker)
        for _ in 1...20 {
            clock.advance(by: .seconds(61))
            try await withThrowingTaskGroup { group in
                for _ in 1...64 {
                    group.addTask { try settings.setFlag("checkout", "b", tracker: tracker, on: engine) }
                }
                try await group.waitForAll()
            }
        }

        tracker.expect(Array(repeating: FlagExposed(flag: "checkout", variant: "b"), count: 20))
    }

    @Test func `an impossible flag throws, and changes nothing`() throws {
        let engine = DeliveryEngine(clock: TestClock())

        for name in ["", "1st", "a-b", "naïve", String(repeating: "a", count: 33)] {
            #expect(throws: FlagError.invalidName(name)) {
                try settings.setFlag(name, "b", tracker: tracker, on: engine)
            }
        }
        for variant in ["", String(repeating: "v", count: 101)] {
            #expect(throws: FlagError.invalidVariant(variant)) {
                try settings.setFlag("checkout", variant, tracker: tracker, on: engine)
            }
        }
        for number in 1...16 { try settings.setFlag("f\(number)", "on", tracker: tracker, on: engine) }
        #expect(throws: FlagError.tooManyFlags(maximum: 16)) {
            try settings.setFlag("f17", "on", tracker: tracker, on: engine)
        }

        #expect(settings.defaults.count == 17)
    }
}

/// A tracker whose events are tracked on the lanes of an engine.
private struct LaneTracker: CoreTracker {
    let service: LaneService

    var firebaseService: any FirebaseService { service }
    var awesomeTrackingService: any AwesomeTrackingService { service }
    var vendorService: any VendorService { service }
}
