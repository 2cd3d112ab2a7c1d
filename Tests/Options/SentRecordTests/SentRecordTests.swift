import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventTracking
import Foundation
import Locks
import Testing

@testable import SentRecord

@Suite(.timeLimit(.minutes(2))) struct SentRecordTests {
    private let clock = TestClock()
    private let analytics = LineDestination(lane: LaneID(product: "DL", service: "lines"))
    private let marketing = LineDestination(
        lane: LaneID(product: "DL", service: "mail"),
        purpose: .marketing,
        updates: [.traits]
    )

    @Test func `acknowledged events are counted by day, service, purpose and name, and no others`() async throws {
        let (record, engine) = try await open { request, _ in
            String(decoding: request.body, as: UTF8.self).contains("wrong")
                ? .respond(HTTPResponse(status: 400)) : .respond(HTTPResponse(status: 200))
        }
        engine.hold(reason: .maintenance)

        for name in ["viewed", "bought", "viewed"] { engine.lane(analytics.lane).track(name) }
        engine.lane(marketing.lane).track("wrong")
        engine.lane(marketing.lane).track("opened", parameters: ["secret": "x"])
        await engine.storeBuffered()
        let before = await record.json()
        engine.release(reason: .maintenance)
        _ = await engine.flush(timeout: .seconds(5))

        #expect(before == #"{"version":1,"events":[]}"#)
        #expect(
            await entries(of: record) == [
                "lines analytics bought 1", "lines analytics viewed 2", "mail marketing opened 1",
            ]
        )
        #expect(await !record.json().contains("secret"))
    }

    @Test func `the record is in its file, and counts the events that an earlier run has left`() async throws {
        let (queue, file) = (try TemporaryQueue(), temporaryFile())
        defer { try? FileManager.default.removeItem(at: file) }
        let (first, engine) = try await open(file: file)
        engine.lane(analytics.lane).track("viewed")
        _ = await engine.flush(timeout: .seconds(5))
        await engine.close(timeout: .zero)
        _ = await first.json()
        let (_, offline) = try await open(directory: queue.url) { _, _ in .fail(.connectionFailed(code: 111)) }
        offline.lane(analytics.lane).track("viewed")
        await offline.storeBuffered()
        await offline.close(timeout: .zero)

        let (record, next) = try await open(file: file, directory: queue.url)
        _ = await next.flush(timeout: .seconds(5))

        #expect(await entries(of: record) == ["lines analytics viewed 2"])
        #expect(try Data(contentsOf: file) == Data(await record.json().utf8))
        await next.close(timeout: .zero)
    }

    @Test func `a second after a change, the file is written`() async throws {
        let file = temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let (record, engine) = try await open(file: file)
        engine.lane(analytics.lane).track("viewed")
        _ = await engine.flush(timeout: .seconds(5))
        #expect(!FileManager.default.fileExists(atPath: file.path))

        while !FileManager.default.fileExists(atPath: file.path) {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }

        #expect(await entries(of: record) == ["lines analytics viewed 1"])
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"version":2,"events":[]}"#, #"{"version":1,"events":[{}]}"#,
        #"{"version":1,"events":[{"day":"2026-01-01","product":"DL","service":"s","purpose":"p","name":"n","count":0}]}"#,
        #"{"version":1,"events":[{"day":"2026-0"#,
    ])
    func `a damaged file is replaced by an empty record, and reported once`(text: String) async throws {
        let (file, faults) = (temporaryFile(), Faults())
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(text.utf8).write(to: file)
        let record = SentRecord(file: file, on: DeliveryEngine(clock: clock)) { fault in
            faults.add(fault)
        }

        let found = [await record.json(), await record.json()]

        #expect(Set(found) == [#"{"version":1,"events":[]}"#])
        #expect(faults.all == ["the record of sent events was damaged, and starts anew: \(file.path)"])
    }

    @Test func `a file that cannot be read is neither lost nor replaced`() async throws {
        let (file, faults) = (temporaryFile(), Faults())
        defer { try? FileManager.default.removeItem(at: file) }
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
        let (record, engine) = try await open(file: file, report: { faults.add($0) })
        engine.lane(analytics.lane).track("viewed")
        _ = await engine.flush(timeout: .seconds(5))
        let during = await entries(of: record)

        try FileManager.default.removeItem(at: file)
        let earlier =
            #"{"day":"\#(today)","product":"DL","service":"lines","purpose":"analytics","name":"viewed","count":4}"#
        try Data(#"{"version":1,"events":[\#(earlier)]}"#.utf8).write(to: file)

        #expect(during == ["lines analytics viewed 1"])
        #expect(await entries(of: record) == ["lines analytics viewed 5"])
        #expect(faults.all == ["the record of sent events cannot be read: \(file.path)"])
    }

    @Test func `an erasure deletes the file, and so does one of the engine with the next look`() async throws {
        let file = temporaryFile()
        defer { try? FileManager.default.removeItem(at: file) }
        let (record, engine) = try await open(file: file)
        var found: [Bool] = []

        for erase in [
            { await record.erase() }, { _ = try await engine.erase(user: "ada") },
            { _ = try await engine.eraseEverything() },
        ] as [@Sendable () async throws -> Void] {
            engine.lane(analytics.lane).track("viewed")
            _ = await engine.flush(timeout: .seconds(5))
            _ = await record.json()
            found.append(FileManager.default.fileExists(atPath: file.path))
            try await erase()
            #expect(await entries(of: record) == [])
            found.append(FileManager.default.fileExists(atPath: file.path))
        }

        #expect(found == [true, false, true, false, true, false])
    }

    @Test func `counts are kept for 30 days`() async throws {
        let (record, engine) = try await open()
        engine.lane(analytics.lane).track("viewed")
        _ = await engine.flush(timeout: .seconds(5))

        clock.advance(by: .seconds(29 * 86_400))
        let last = await entries(of: record)
        clock.advance(by: .seconds(86_400))

        #expect(last == ["lines analytics viewed 1"])
        #expect(await entries(of: record) == [])
    }

    @Test func `counts survive a clock that is set back by less than 30 days`() async throws {
        let (record, engine) = try await open()
        engine.lane(analytics.lane).track("viewed")
        _ = await engine.flush(timeout: .seconds(5))

        clock.jumpWall(bySeconds: -29 * 86_400)
        let early = await entries(of: record)
        clock.jumpWall(bySeconds: -86_400)

        #expect(early == ["lines analytics viewed 1"])
        #expect(await entries(of: record) == [])
    }

    @Test func `of a partial result, only the acknowledged events count, each by its service's key for the name`()
        async throws
    {
        let record = SentRecord(file: nil, on: DeliveryEngine(clock: clock))
        let base = PartialDestination()
        let destination = try #require(record.recording([base]).first)
        let fragments = [
            #"{"name":"a"}"#, #"{"name":"refused"}"#, #"{"name":"retried"}"#, #"{"eventName":"b"}"#, #"{"event":"c"}"#,
            #"{"xdm":{"eventType":"d"}}"#, #"{"plan":"gold"}"#, "no JSON",
        ]
        let events = fragments.enumerated().map { number, text in
            OutgoingBatch.Event(id: EventID(high: 0, low: UInt64(number)), fragment: Array(text.utf8)[...])
        }
        let batch = OutgoingBatch(id: EventID(high: 1, low: 0), events: events)

        let result = destination.result(for: HTTPResponse(status: 200), of: batch)

        let names = ["(other) 2", "a 1", "b 1", "c 1", "d 1"]
        #expect(result == base.result(for: HTTPResponse(status: 200), of: batch))
        #expect(await entries(of: record) == names.map { "partial analytics \($0)" })
    }

    @Test(arguments: [(true, "mail analytics (other) 1"), (false, "mail analytics Ada 1")])
    func `a destination that encodes no events has no names, because a trait can have the key of a name`(
        isForProfiles: Bool,
        entry: String
    ) async throws {
        let record = SentRecord(file: nil, on: DeliveryEngine(clock: clock))
        let destination = ProfileDestination(isForProfiles: isForProfiles)
        let event = OutgoingBatch.Event(id: EventID(high: 0, low: 1), fragment: Array(#"{"name":"Ada"}"#.utf8)[...])
        let batch = OutgoingBatch(id: EventID(high: 1, low: 0), events: [event])

        _ = try #require(record.recording([destination]).first).result(for: HTTPResponse(status: 200), of: batch)

        #expect(await entries(of: record) == [entry])
    }

    @Test func `the calls of the page are those of an app`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        var configuration = DeliveryConfiguration(directory: nil, destinations: [analytics, marketing])

        let record = SentRecord(file: folder.appending(path: "sent.json"))
        configuration.destinations = record.recording(configuration.destinations)

        let answer = await record.json()
        await record.erase()
        #expect(configuration.destinations.map(\.lane) == [analytics.lane, marketing.lane])
        #expect(answer == #"{"version":1,"events":[]}"#)
    }

    private var today: String { String(clock.wallTime().rfc3339.prefix(10)) }

    private func temporaryFile() -> URL {
        FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    }

    @Test func `a wrapper sees only the app's events`() {
        let calls = CallCount()

        _ = SentRecord(file: nil, on: DeliveryEngine(clock: clock))
            .recording([CountedDestination(base: marketing, calls: calls)])

        #expect(calls.encoded.withLock { $0 } == 0)
    }

    private func open(
        file: URL? = nil,
        directory: URL? = nil,
        _ script: @escaping ScriptedTransport.Script = { _, _ in .respond(HTTPResponse(status: 200)) },
        report: (@Sendable (String) -> Void)? = nil
    ) async throws -> (SentRecord, DeliveryEngine) {
        let engine = DeliveryEngine(clock: clock)
        let record = SentRecord(file: file, on: engine, report: report)
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: [analytics, marketing],
            transport: ScriptedTransport(script: script)
        )
        configuration.destinations = record.recording(configuration.destinations)
        try await engine.open(configuration)
        return (record, engine)
    }

    /// The entries of a record, each with its service, purpose, name and count.
    private func entries(of record: SentRecord) async -> [String] {
        let json = await record.json()
        let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return (object?["events"] as? [[String: Any]] ?? []).map { event in
            ["service", "purpose", "name", "count"].map { "\(event[$0] ?? "")" }.joined(separator: " ")
        }
    }
}

/// The faults reported by a record.
private final class Faults: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }

    func add(_ text: String) { texts.withLock { $0.append(text) } }
}

/// A destination whose receiver refuses the second event of a batch, and has no room for the third.
private struct PartialDestination: Destination {
    let lane = LaneID(product: "T", service: "partial")
    let limits = BatchLimits(events: 50, bodyBytes: 100_000)

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) { encoder.json.id(event.id) }

    func request(for batch: OutgoingBatch) -> HTTPRequest { HTTPRequest(url: URL(filePath: "/partial"), body: []) }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        .partial([1: .refused("bad"), 2: .retry])
    }
}

/// A destination of traits, which also encodes events if it is not for profiles alone.
private struct ProfileDestination: Destination {
    let isForProfiles: Bool
    let lane = LaneID(product: "T", service: "mail")
    let limits = BatchLimits(events: 50, bodyBytes: 100_000)
    let updates: Set<ProfileUpdate> = [.traits]

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        if isForProfiles, event.update == nil { throw EventEncodingError(rule: "update_not_supported") }
        encoder.json.id(event.id)
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest { HTTPRequest(url: URL(filePath: "/mail"), body: []) }
}

/// The number of calls of a destination.
private final class CallCount: Sendable {
    let encoded = Mutex(0)
}

/// A wrapper that counts the events to encode.
private struct CountedDestination: DestinationWrapper {
    let base: any Destination
    let calls: CallCount

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        calls.encoded.withLock { $0 += 1 }
        try base.encode(event, into: &encoder)
    }
}

@Suite struct SentCountsTests {
    private let lane = LaneID(product: "DL", service: "lines")

    @Test func `names beyond the maximum, and names that are too long, are counted together`() {
        var counts = SentCounts()
        counts.add(String(repeating: "n", count: 257), on: "2026-11-29", lane: lane, purpose: .analytics)

        for number in 0..<10_000 {
            counts.add("n\(number)", on: "2026-11-29", lane: lane, purpose: .analytics)
        }

        let text = String(decoding: counts.json, as: UTF8.self)
        #expect(text.matches(of: /"name":/).count == SentCounts.maximumEntries)
        #expect(text.contains(#""name":"(other)","count":5906}"#))
    }

    @Test func `counts are read as they are written`() {
        var counts = SentCounts()
        for name in ["a", "a", "\"\\\u{0}é", nil] {
            counts.add(name, on: "2026-11-29", lane: lane, purpose: ConsentPurpose("p\n"))
        }

        #expect(SentCounts(json: counts.json) == counts)
    }
}
