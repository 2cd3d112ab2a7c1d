import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@testable import AppTracking

@Suite(.timeLimit(.minutes(5))) struct AppLifecycleTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private let clock = TestClock()

    @Test func `a first launch, a visit and a return are tracked in order, with their duration`() async {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tracker, delivery) = (MockTracker(), makeDelivery())
        await delivery.trackLifecycle(with: tracker, version: "2.4", record: record)

        delivery.receive(.becameActive)
        clock.advance(by: .milliseconds(95_500))
        delivery.receive(.enteredBackground)
        delivery.receive(.enteringForeground)
        delivery.receive(.becameActive)

        tracker.expect([
            AppFirstOpened(version: "2.4"), AppOpened(isLaunch: true), AppBackgrounded(duration: .milliseconds(95_500)),
            AppOpened(isLaunch: false),
        ])
    }

    @Test func `an app that is already active when tracking starts is tracked at once`() async {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tracker, delivery) = (MockTracker(), makeDelivery())

        delivery.receive(.becameActive)
        await delivery.trackLifecycle(with: tracker, version: "2.4", record: record)
        delivery.receive(.becameActive)

        tracker.expect([AppFirstOpened(version: "2.4"), AppOpened(isLaunch: true)])
    }

    @Test func `a launch in the background tracks nothing until the app becomes active`() async {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tracker, delivery) = (MockTracker(), makeDelivery())
        await delivery.trackLifecycle(with: tracker, version: "2.4", record: record)

        delivery.receive(.enteredBackground)

        tracker.expect([])
    }

    @Test func `without a call that starts it, nothing is tracked`() {
        let tracker = MockTracker()

        makeDelivery().receive(.becameActive)

        tracker.expect([])
    }

    @Test func `the next launch tracks an update if the version has changed, and else only the launch`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("2.3".utf8).write(to: record)
        let updated = MockTracker()

        await launch(updated, version: "2.4")
        while (try? Data(contentsOf: record)) != Data("2.4".utf8) { await Task.yield() }
        let same = MockTracker()
        await launch(same, version: "2.4")

        updated.expect([AppUpdated(previousVersion: "2.3", version: "2.4"), AppOpened(isLaunch: true)])
        same.expect([AppOpened(isLaunch: true)])
    }

    @Test func `a record that cannot be read counts as neither a first launch nor an update`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: record, withIntermediateDirectories: true)
        let tracker = MockTracker()

        await launch(tracker, version: "2.4")

        tracker.expect([AppOpened(isLaunch: true)])
    }

    @Test func `spaces around a version do not make an update`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (first, second) = (MockTracker(), MockTracker())

        await launch(first, version: "2.4 ")
        while (try? Data(contentsOf: record)) == nil { await Task.yield() }
        await launch(second, version: " 2.4\n")

        first.expect([AppFirstOpened(version: "2.4"), AppOpened(isLaunch: true)])
        second.expect([AppOpened(isLaunch: true)])
    }

    @Test func `a version is recorded when its event is stored, and not while the directory is in use`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let queue = try TemporaryQueue()
        let configuration = DeliveryConfiguration(
            directory: queue.url,
            destinations: [LineDestination(lane: LaneID(product: "T", service: "firebase"))],
            transport: ScriptedTransport { _, _ in .hang }
        )
        let (other, engine) = (DeliveryEngine(clock: clock), DeliveryEngine(clock: clock))
        try await other.open(configuration)
        try await engine.open(configuration)
        let task = ManualBackgroundTask()
        let delivery = AppDelivery(on: engine, backgroundTask: task, timeout: .zero, environment: [:])
        await delivery.trackLifecycle(with: LaneTracker(product: "T", on: engine), version: "1.0", record: record)

        delivery.receive(.becameActive)
        await engine.storeBuffered()
        delivery.receive(.enteredBackground)
        await task.ended()
        let isRecorded = FileManager.default.fileExists(atPath: record.path)
        await other.close(timeout: .zero)
        delivery.receive(.becameActive)
        while (try? Data(contentsOf: record)) != Data("1.0".utf8) { await Task.yield() }

        #expect(!isRecorded)
        #expect(await engine.statistics().map(\.storageFailure) == [nil, nil])
        await engine.close(timeout: .zero)
    }

    @Test(
        arguments: [[], [0, 0, 0], [0x32, 0x2E, 0x34, 0x7F], [0xFF, 0xFE], Array(repeating: 65, count: 257)]
            as [[UInt8]]
    )
    func `a damaged record counts as neither a first launch nor an update, and is replaced`(
        bytes: [UInt8]
    ) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: record)
        let (tracker, next) = (MockTracker(), MockTracker())

        await launch(tracker, version: "2.4")
        while (try? Data(contentsOf: record)) != Data("2.4".utf8) { await Task.yield() }
        await launch(next, version: "2.5")

        tracker.expect([AppOpened(isLaunch: true)])
        next.expect([AppUpdated(previousVersion: "2.4", version: "2.5"), AppOpened(isLaunch: true)])
    }

    @Test func `several observers of one engine track each event of the life cycle once`() async {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tracker, engine) = (MockTracker(), DeliveryEngine(clock: clock))
        let observers = (1...3).map { _ in
            AppDelivery(on: engine, backgroundTask: ManualBackgroundTask(), environment: [:])
        }
        // The first observer tracks nothing.
        for observer in observers.dropFirst() {
            await observer.trackLifecycle(with: tracker, version: "2.4", record: record)
        }

        for signal in [AppSignal.becameActive, .enteredBackground, .becameActive] {
            for observer in observers { observer.receive(signal) }
            clock.advance(by: .seconds(5))
        }

        tracker.expect([
            AppFirstOpened(version: "2.4"), AppOpened(isLaunch: true), AppBackgrounded(duration: .seconds(5)),
            AppOpened(isLaunch: false),
        ])
    }

    @Test func `the duration of a visit counts from the activation`() async {
        defer { try? FileManager.default.removeItem(at: folder) }
        let (tracker, delivery) = (MockTracker(), makeDelivery())

        delivery.receive(.becameActive)
        clock.advance(by: .seconds(60))
        await delivery.trackLifecycle(with: tracker, version: "2.4", record: record)
        clock.advance(by: .seconds(5))
        delivery.receive(.enteredBackground)

        tracker.expect([
            AppFirstOpened(version: "2.4"), AppOpened(isLaunch: true), AppBackgrounded(duration: .seconds(65)),
        ])
    }

    @Test func `signals of the app begin and end visits of the engine`() async throws {
        let (engine, lane) = (DeliveryEngine(clock: clock), LineDestination().lane)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [LineDestination()]))
        let delivery = AppDelivery(on: engine, backgroundTask: ManualBackgroundTask(), environment: [:])
        func session() -> String {
            engine.lane(lane).track("e", parameters: [:])
            return engine.identity.sessionID
        }

        delivery.receive(.becameActive)
        let first = session()
        delivery.receive(.enteredBackground)
        clock.advance(by: .seconds(1_800))
        let inBackground = session()
        clock.advance(by: .seconds(1))
        let later = session()
        delivery.receive(.enteringForeground)
        delivery.receive(.becameActive)

        #expect(inBackground == first)
        #expect(later == "")
        #expect(!session().isEmpty && session() != first)
        await engine.close(timeout: .zero)
    }

    @Test(arguments: [
        ("https://ada:secret@shop.example/p/7", "https://shop.example/p/7"),
        ("https://ada@shop.example:8443/p@7", "https://shop.example:8443/p@7"),
        ("https://a:b@c@shop.example", "https://shop.example"),
        ("https:/\\ada:secret@shop.example/p", "https:/\\shop.example/p"),
        ("https:\\\\ada:secret@shop.example\\p", "https:\\\\shop.example\\p"),
        ("//ada:secret@shop.example/p", "//shop.example/p"),
        ("https:ada:secret@shop.example/p", "https:shop.example/p"), ("HTTP:ada@shop.example", "HTTP:shop.example"),
        ("https:shop.example/p@7", "https:shop.example/p@7"), ("https:", "https:"), ("shop:ada@7", "shop:ada@7"),
        ("shop://ada:secret@\u{301}p/7", "shop://\u{301}p/7"),
        ("mailto:ada@example.com", "mailto:ada@example.com"),
        ("p/ada@example.com/7", "p/ada@example.com/7"),
        ("https://@", "https://"), ("@", "@"), ("", ""), ("/", "/"), ("://", "://"),
    ])
    func `a link loses its user name and password`(link: String, expected: String) {
        #expect(Array(DeepLinkOpened(link: link).link.utf8) == Array(expected.utf8))
    }

    @Test func `a link loses its query and fragment`() {
        #expect(
            DeepLinkOpened(link: "https://shop.example/p/7?email=a@b.example#top").link == "https://shop.example/p/7"
        )
        #expect(DeepLinkOpened(link: "shop://p/7#top").link == "shop://p/7")
        #expect(DeepLinkOpened(link: "shop://p/7?\u{301}token=1").link == "shop://p/7")
        #expect(DeepLinkOpened(link: "shop://p/7#\u{FE0F}top").link == "shop://p/7")
    }

    @Test func `both services get the same parameters`() {
        let backgrounded = AppBackgrounded(duration: .milliseconds(1500)).services
        let pushed = PushOpened().services

        #expect(backgrounded.map(\.event.parameters) == [["open_duration_ms": 1500], ["open_duration_ms": 1500]])
        #expect(pushed.map(\.event.parameters) == [[], []])
    }

    private var record: URL { folder.appending(path: "version") }

    private func launch(_ tracker: MockTracker, version: String) async {
        let delivery = makeDelivery()
        await delivery.trackLifecycle(with: tracker, version: version, record: record)
        delivery.receive(.becameActive)
    }

    private func makeDelivery() -> AppDelivery {
        AppDelivery(on: DeliveryEngine(clock: clock), backgroundTask: ManualBackgroundTask(), environment: [:])
    }
}

/// A tracker whose events go to the lanes of an engine.
private struct LaneTracker: CoreTracker {
    let firebaseService: any FirebaseService
    let awesomeTrackingService: any AwesomeTrackingService

    init(product: String, on engine: DeliveryEngine) {
        let service = LaneService(product: product, on: engine)
        (firebaseService, awesomeTrackingService) = (service, service)
    }
}

@Suite struct ScreenVisitTests {
    @Test func `a screen that reports several appearances is tracked once`() {
        var visit = ScreenVisit<Int>()

        let tracked = (1...3).map { _ in visit.appeared(1, isActive: true) }

        #expect(tracked == [true, false, false])
    }

    @Test func `a screen that appears again is tracked again`() {
        var visit = ScreenVisit<Int>()
        _ = visit.appeared(1, isActive: true)

        visit.disappeared()
        let isTracked = visit.appeared(1, isActive: true)

        #expect(isTracked)
    }

    @Test func `a screen of an app that starts in the background is tracked when its scene becomes active`() {
        var visit = ScreenVisit<Int>()

        let tracked = [false, true, false, true].map { visit.appeared(1, isActive: $0) }

        #expect(tracked == [false, true, false, false])
    }

    @Test func `another item in the same place is tracked, and the same one is not`() {
        var visit = ScreenVisit<Int>()

        let tracked = [1, 1, 2, 2, 1].map { visit.appeared($0, isActive: true) }
        let later = [false, true].map { visit.appeared(3, isActive: $0) }

        #expect(tracked == [true, false, true, false, true])
        #expect(later == [false, true])
    }
}

@Suite struct CampaignTests {
    @Test(
        arguments: [
            (
                "https://a.example/?utm_source=news+letter&utm_medium=e%2Dmail&email=ada",
                [.source: "news letter", .medium: "e-mail"]
            ),
            ("https://a.example/?utm_campaign=a&utm_campaign=b&utm_term=x#utm_source=c", [.campaign: "a", .term: "x"]),
            ("app://p/7?x=?&utm_source==&UTM_MEDIUM=m", [.source: "="]),
            ("https://a.example/?utm_term=x&utm_source=", nil), ("https://a.example/?utm_source=%", nil),
            ("https://a.example/#utm_source=c", nil), ("?", nil), ("", nil),
        ] as [(String, [Campaign.Field: String]?)]
    )
    func `a campaign has the allowed parameters of a link`(link: String, values: [Campaign.Field: String]?) {
        #expect(Campaign(link: link)?.values == values)
    }

    @Test func `a link with many and long parameters has a bounded campaign`() {
        let many = (0..<50).map { "p\($0)=\($0)" }.joined(separator: "&")
        let long = String(repeating: "x", count: 101)

        let campaign = Campaign(link: "https://a.example/?\(many)&utm_source=s&utm_content=\(long)")

        #expect(campaign?.values == [.source: "s"])
    }

    @Test func `a field that is not allowed is not read`() {
        #expect(Campaign(link: "?utm_source=s&utm_term=ada", allowing: [.source])?.values == [.source: "s"])
    }

    @Test func `without a campaign, a link is one event for each service`() {
        let link = "https://a.example/p?utm_source=s"

        #expect(DeepLinkOpened(link: link).services.count == 2)
        #expect(DeepLinkOpened(link: link, campaign: Campaign(link: link)).services.count == 3)
    }
}

@Suite struct NetworkUsabilityTests {
    @Test(arguments: [
        ([true, true], [false, false]),
        ([false, true, true], [false, true, false]),
        ([true, false, false, true], [false, false, false, true]),
    ])
    func `each return of the network is reported once`(states: [Bool], returns: [Bool]) {
        var usability = NetworkUsability()

        let told = states.map { usability.update(isUsable: $0) }

        #expect(told == returns)
    }
}

@Suite struct NoOpTrackerTests {
    private struct Viewed: CoreTrackable {
        var services: [EventService] {
            FirebaseEvent("viewed")
            AwesomeTrackingEvent("viewed")
            VendorEvent("braze", "viewed")
        }
    }

    @Test func `the tracker sends nothing, and counts and explains each event`() async {
        let engine = DeliveryEngine(clock: TestClock())

        NoOpTracker(ledger: LaneService(product: "?", on: engine)).track(Viewed())

        let lanes = await engine.statistics()
        #expect(lanes.map(\.id.description) == ["?/awesomeTracking", "?/braze", "?/firebase"])
        #expect(lanes.allSatisfy { $0.ledger.accepted == 1 && $0.ledger.dropped == [.noTracker: 1] })
        #expect(lanes.first?.explanation?.hasPrefix("1 event is dropped, because the view has no product's tr") == true)
    }
}
