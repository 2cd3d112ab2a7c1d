import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Locks
import Testing

@testable import EventDeliveryScenes

/// An engine with a log, whose lines a test reads, and a manual clock.
private final class LogScene: Sendable {
    let clock = TestClock()
    let engine: DeliveryEngine
    let transport: ScriptedTransport
    let lane = LineDestination().lane
    /// The number of reports that the engine was not opened.
    let notices = LogLines()
    private let log: DeliveryLog
    private let lines: LogLines

    init(
        _ detail: DeliveryLog.Detail = .warnings,
        script: @escaping ScriptedTransport.Script = { _, _ in .status(200) }
    ) {
        let lines = LogLines()
        log = .custom(detail) { entry in lines.add(entry) }
        self.lines = lines
        transport = ScriptedTransport(script: script)
        engine = DeliveryEngine(runtime: .system, clock: clock, unopened: { [notices] in notices.add(.opening) })
    }

    /// The lines so far, as `level text`.
    var text: [String] { lines.entries.map { "\($0.level.rawValue) \($0)" } }

    /// The codes of the lines so far.
    var codes: [String] { lines.entries.map { ($0.level == .notice ? "-" : "") + $0.code } }

    func open(_ directory: URL? = nil, defaultConsent: Consent = .granted) async throws {
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [LineDestination()],
            transport: transport,
            defaultConsent: defaultConsent
        )
        configuration.log = log
        try await engine.open(configuration)
        await settle()
    }

    /// Tracks an event and waits until it is stored and the log has looked at the consequences.
    func track(_ name: String = "viewed", on lane: LaneID? = nil, _ parameters: EventParameters = ["secret": "CANARY"])
        async
    {
        engine.lane(lane ?? self.lane).track(name, parameters: parameters)
        await engine.storeBuffered()
        await settle()
    }

    /// Waits until the log has looked at all changes so far.
    func settle() async {
        let observation = engine.buffer.observation
        while let due = observation.due {
            let wait = clock.monotonicTime().duration(to: due)
            guard wait <= .milliseconds(250) else { break }
            if wait > .zero { clock.advance(by: wait) }
            await Task.yield()
        }
    }

    /// Waits until the log has a number of lines.
    func lines(_ count: Int) async {
        while lines.entries.count < count {
            await settle()
            await Task.yield()
        }
    }

    /// Opens a directory, lets one event fail, and closes the engine.
    func leaveFailure(in directory: URL) async throws {
        try await open(directory)
        await track()
        await lines(1)
        await engine.close(timeout: .zero)
    }

    func advance(by duration: Duration) async {
        clock.advance(by: duration)
        await settle()
    }
}

extension DeliveryLog.Entry {
    fileprivate static let opening = DeliveryLog.Entry(.warning, [], code: "not_open", "")
}

private final class LogLines: Sendable {
    private let state = Mutex<[DeliveryLog.Entry]>([])

    func add(_ entry: DeliveryLog.Entry) { state.withLock { $0.append(entry) } }

    var entries: [DeliveryLog.Entry] { state.withLock { $0 } }
}

@Suite(.timeLimit(.minutes(2))) struct EngineLogTests {
    @Test func `the events of a lane on hold plan no further look of the log`() async throws {
        let scene = LogScene()
        scene.engine.hold(reason: .maintenance)
        try await scene.open()
        await scene.track()
        let due = scene.engine.buffer.observation.due

        for _ in 1...3 {
            scene.engine.lane(scene.lane).track("viewed")
            await scene.engine.storeBuffered()
        }

        #expect(scene.engine.buffer.observation.due == due)
        await scene.engine.close(timeout: .zero)
    }

    @Test func `an engine that is not opened within five seconds is reported once`() async throws {
        let scene = LogScene()
        for _ in 1...3 { scene.engine.lane(scene.lane).track("viewed", parameters: [:]) }

        _ = await scene.clock.nextSleep { $0 == .seconds(5) }
        scene.clock.advance(by: .seconds(5))
        while scene.notices.entries.count < 1 { await Task.yield() }
        _ = await scene.engine.flush(timeout: .zero)
        try await scene.open()
        await scene.engine.close(timeout: .zero)

        #expect(scene.notices.entries.count == 1)
        #expect(!scene.text.contains { $0.contains("opened") })
    }

    @Test func `an engine that is opened in time is not reported`() async throws {
        let scene = LogScene()
        scene.engine.lane(scene.lane).track("viewed", parameters: [:])
        try await scene.open()
        _ = await scene.engine.flush(timeout: .seconds(4))

        await scene.advance(by: .seconds(5))
        await scene.engine.close(timeout: .zero)

        #expect(scene.text == [] && scene.notices.entries.count == 0)
    }

    @Test func `a flush and the end of an engine that was never opened are reported at once`() async {
        let scene = LogScene()
        scene.engine.lane(scene.lane).track("viewed", parameters: [:])

        _ = await scene.engine.flush(timeout: .zero)
        await scene.engine.close(timeout: .zero)

        #expect(scene.notices.entries.count == 1)
    }

    @Test func `a lane without a destination is reported with the lane that was probably meant`() async throws {
        let scene = LogScene()
        try await scene.open()

        await scene.track(on: LaneID(product: "T", service: "linse"))

        #expect(scene.text == ["warning T/linse: the lane has no destination: did you mean T/lines?"])
        await scene.engine.close(timeout: .zero)
    }

    @Test func `missing consent is reported, and its end`() async throws {
        let scene = LogScene()
        try await scene.open(defaultConsent: .unknown)

        await scene.track()
        await scene.advance(by: .seconds(60))
        try await scene.engine.setConsent(.granted, for: .analytics)
        await scene.lines(2)

        let cause = "waits for consent to analytics: 1 event is kept"
        #expect(
            scene.text == [
                "warning T/lines: \(cause): call setConsent(_:for:)", "notice T/lines: resolved: \(cause)",
            ]
        )
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a wrong key is reported with its status, and the end of the pause`() async throws {
        let scene = LogScene { _, _ in .status(401) }
        try await scene.open()

        await scene.track()
        await scene.lines(1)
        scene.transport.setScript { _, _ in .status(200) }
        await scene.advance(by: .seconds(60))
        await scene.engine.resume()
        await scene.lines(2)

        #expect(scene.codes == ["paused.credentials", "-paused.credentials"])
        #expect(scene.text.first?.contains("the receiver refuses the credentials (status 401): correct") == true)
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a failure of an earlier run is not reported as a present one`() async throws {
        let queue = try TemporaryQueue()
        let first = LogScene { _, _ in .fail(.connectionRefused) }
        try await first.leaveFailure(in: queue.url)
        let scene = LogScene()

        try await scene.open(queue.url)
        await scene.advance(by: .seconds(1))
        let report = await scene.engine.flush(timeout: .seconds(5))
        await scene.settle()

        #expect(first.codes.first == "connection_refused")
        #expect(report.isDrained)
        #expect(scene.text == [])
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a wait of an earlier run is reported as such, and its end`() async throws {
        let queue = try TemporaryQueue()
        let first = LogScene { _, _ in .asking(for: 62) }
        try await first.leaveFailure(in: queue.url)
        let scene = LogScene()

        try await scene.open(queue.url)
        let early = scene.text
        await scene.advance(by: .seconds(70))
        await scene.transport.requests(count: 1)
        await scene.lines(2)

        let cause = "in an earlier run, the receiver is busy or fails (status 503)"
        let warning = "warning T/lines: \(cause): the engine tries again, next in 6"
        #expect(early.count == 1)
        // The manual clock has advanced by less than a second meanwhile.
        #expect(early.first?.hasPrefix(warning) == true, "\(early)")
        #expect(scene.text.dropFirst() == ["notice T/lines: resolved: \(cause)"])
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a wait of an earlier run that ends with the same failure is not resolved`() async throws {
        let queue = try TemporaryQueue()
        let first = LogScene { _, _ in .asking(for: 62) }
        try await first.leaveFailure(in: queue.url)
        let scene = LogScene { _, _ in .asking(for: 62) }

        try await scene.open(queue.url)
        await scene.advance(by: .seconds(70))
        await scene.transport.requests(count: 1)
        await scene.lines(2)
        await scene.engine.close(timeout: .zero)

        #expect(scene.codes == ["earlier.receiver_fails", "receiver_fails", "-closed"])
    }

    @Test(arguments: [(1, "1 event is"), (3, "3 events are")])
    func `a closed engine reports the events that it keeps`(count: Int, events: String) async throws {
        let queue = try TemporaryQueue()
        let scene = LogScene()
        try await scene.open(queue.url, defaultConsent: .unknown)

        for _ in 1...count { await scene.track() }
        await scene.engine.close(timeout: .zero)

        #expect(scene.text.last == "notice T/lines: \(events) kept for the next start")
        #expect(scene.codes == ["consent_unknown", "-closed"])
    }

    @Test func `a closed engine without a directory reports its events as lost`() async throws {
        let scene = LogScene()
        try await scene.open(defaultConsent: .unknown)

        await scene.track()
        await scene.engine.close(timeout: .zero)

        #expect(scene.codes == ["consent_unknown", "dropped.closed"])
    }

    @Test func `the line of a quarantine has its status, and the call that shows the events`() async throws {
        let queue = try TemporaryQueue()
        let scene = LogScene { _, number in .status(number == 1 ? 200 : 400) }
        try await scene.open(queue.url)
        _ = await scene.engine.flush(timeout: .seconds(5))

        await scene.track()
        _ = await scene.engine.flush(timeout: .seconds(5))
        await scene.track()
        await scene.lines(1)
        await scene.engine.close(timeout: .zero)

        let cause = "1 event is in quarantine, refused by the receiver (status 400)"
        let cure = "see Scripts/queue \(queue.url.path) quarantine, or quarantine.events()"
        #expect(scene.text.first == "warning T/lines: \(cause): \(cure), then retry or discard")
    }

    @Test func `a wrong clock is reported as soon as the receiver has named its time`() async throws {
        let date = ["date": "Tue, 01 Jan 2030 00:00:00 GMT"]
        let scene = LogScene { _, _ in .respond(HTTPResponse(status: 200, headers: date)) }
        try await scene.open()
        let start = scene.clock.monotonicTime()

        await scene.track()
        await scene.lines(1)

        #expect(scene.codes == ["clock"])
        #expect(start.duration(to: scene.clock.monotonicTime()) < .seconds(1))
        await scene.engine.close(timeout: .zero)
    }

    @Test func `the end of a cause is reported within a second`() async throws {
        let scene = LogScene { _, number in number == 1 ? .status(500) : .status(200) }
        var diagnostics = scene.engine.diagnostics().makeAsyncIterator()
        try await scene.open()

        await scene.track()
        await scene.lines(1)
        if let wait = await diagnostics.nextRetry() { await scene.advance(by: wait) }
        await scene.lines(2)

        #expect(scene.codes == ["receiver_fails", "-receiver_fails"])
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a directory that a group could write to is used, and reported once with the cure`() async throws {
        let queue = try TemporaryQueue()
        let first = LogScene { _, _ in .fail(.connectionRefused) }
        try await first.open(queue.url)
        await first.track()
        await first.engine.close(timeout: .zero)
        for name in queue.files { #expect(unsafe chmod(queue.url.appending(path: name).path, 0o660) == 0) }
        #expect(unsafe chmod(queue.url.path, 0o2770) == 0)

        let scene = LogScene()
        try await scene.open(queue.url)
        await scene.track()
        let report = await scene.engine.flush(timeout: .seconds(5))
        await scene.engine.close(timeout: .zero)
        let last = LogScene()
        try await last.open(queue.url)
        await last.engine.close(timeout: .zero)

        #expect(report.isDrained && report.lanes.map(\.delivered) == [2])
        #expect(scene.codes == ["storage.permissions_restored"])
        #expect(scene.text.first?.hasPrefix("warning a group could write to the directory \(queue.url.path) ") == true)
        #expect(scene.text.first?.contains("fsGroupChangePolicy: OnRootMismatch") == true)
        #expect(last.text == [])
    }

    @Test func `a receiver that fails now and then has one line in a minute`() async throws {
        let scene = LogScene { _, number in
            number.isMultiple(of: 2) ? .status(200) : .fail(.connectionFailed(code: 111))
        }
        var diagnostics = scene.engine.diagnostics().makeAsyncIterator()
        try await scene.open()

        for _ in 1...10 {
            scene.engine.lane(scene.lane).track("viewed", parameters: [:])
            if let wait = await diagnostics.nextRetry() { scene.clock.advance(by: wait) }
            _ = await diagnostics.next { if case .resumed = $0 { true } else { false } }
            await scene.settle()
        }

        #expect(
            scene.codes.count <= 2 && scene.codes.first == "connection_failed",
            "\(scene.text.joined(separator: "\n"))"
        )
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a receiver that does not respond for five seconds is reported`() async throws {
        let scene = LogScene { _, _ in .hang }
        try await scene.open()

        await scene.track()
        await scene.transport.requests(count: 1)
        await scene.advance(by: .seconds(4))
        let early = scene.codes
        await scene.advance(by: .seconds(2))
        await scene.lines(1)

        #expect(early == [])
        #expect(scene.codes == ["no_response_yet"])
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a directory that cannot be used is reported with its path`() async throws {
        let scene = LogScene()

        try await scene.open(URL(filePath: "/proc/x"))

        #expect(scene.codes == ["storage.unavailable"])
        #expect(scene.text.first?.contains("/proc/x cannot be used (") == true)
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a directory that another engine uses is reported, and that it is free`() async throws {
        let queue = try TemporaryQueue()
        let other = try await GrantedEngine.open(queue.url)
        let scene = LogScene()
        try await scene.open(queue.url)
        let first = scene.codes

        await other.close(timeout: .zero)
        scene.clock.advance(by: .seconds(60))
        await scene.engine.storeBuffered()
        await scene.lines(2)

        #expect(first == ["storage.used_by_this_process"])
        #expect(scene.codes == ["storage.used_by_this_process", "-storage.used_by_this_process"])
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a loss is reported with its reason, and again after a minute if it has grown`() async throws {
        let scene = LogScene()
        try await scene.open()
        let deep: EventParameters = ["d": (0..<100).reduce(1) { value, _ in [value] }]

        for _ in 1...3 { await scene.track("CANARY", deep) }
        let first = scene.text
        await scene.advance(by: .seconds(60))
        await scene.lines(2)

        #expect(first.count == 1 && first.first?.contains("1 event is dropped, because a parameter has more") == true)
        #expect(scene.text.count == 2 && scene.text.last?.contains("3 events are dropped") == true)
        await scene.engine.close(timeout: .zero)
    }

    @Test func `a vendor that is not registered, and one that is registered twice, are reported`() async throws {
        let scene = LogScene()
        let service = LaneService(product: "T", on: scene.engine)
        // The app registers its vendors before it opens the engine.
        for _ in 1...2 { service.record(.duplicateRegistration("braze")) }
        let early = scene.codes
        try await scene.open()

        service.record(.notRegistered("braise", registered: ["braze"]))
        await scene.settle()

        #expect(early == [])
        #expect(scene.codes == ["duplicate_vendor", "dropped.vendor_not_registered"])
        let cause = "vendor braise: not registered, 1 event is dropped: did you mean braze?"
        #expect(scene.text.last == "warning T/braise: \(cause)")
        await scene.engine.close(timeout: .zero)
    }

    @Test func `the level debug has each event by name and each request, and no parameter`() async throws {
        let scene = LogScene(.debug)
        try await scene.open()

        await scene.track("first")
        await scene.track("second")
        _ = await scene.engine.flush(timeout: .seconds(5))
        await scene.engine.close(timeout: .zero)

        #expect(
            scene.text.contains("debug T/lines: tracked first") && scene.text.contains("debug T/lines: tracked second")
        )
        #expect(
            scene.text.contains { $0.hasPrefix("debug T/lines: a request with ") && $0.contains(": status 200 after ") }
        )
        #expect(!scene.text.contains { $0.contains("CANARY") })
    }

    @Test func `no line names an event or a parameter by default`() async throws {
        let scene = LogScene { _, _ in .respond(HTTPResponse(status: 400, body: Array("CANARY".utf8))) }
        try await scene.open()

        await scene.track("CANARY")
        _ = await scene.engine.flush(timeout: .zero)
        await scene.engine.close(timeout: .zero)

        #expect(!scene.text.contains { $0.contains("CANARY") }, "\(scene.text.joined(separator: "\n"))")
    }

    @Test func `an event without parameters needs only a name`() async throws {
        let scene = LogScene(.debug)
        try await scene.open()

        scene.engine.lane(scene.lane).track("opened")
        _ = await scene.engine.flush(timeout: .seconds(5))
        await scene.engine.close(timeout: .zero)

        #expect(scene.text.contains("debug T/lines: tracked opened"))
        #expect(
            scene.transport.requests.first.map { String(decoding: $0.body, as: UTF8.self) }?.contains("opened") == true
        )
    }

    @Test func `a delivery without a problem has no line`() async throws {
        let scene = LogScene()
        try await scene.open()

        for _ in 1...3 { await scene.track() }
        _ = await scene.engine.flush(timeout: .seconds(5))
        await scene.advance(by: .seconds(120))
        await scene.engine.close(timeout: .zero)

        #expect(scene.text == [])
    }
}
