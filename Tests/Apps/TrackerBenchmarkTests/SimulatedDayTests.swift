import EventDelivery
import Foundation
import Testing

@testable import TrackerBenchmark

@Suite struct UsageDayTests {
    @Test func `an ordinary day has 200 events in 30 minutes, at the same times in each run`() {
        let day = UsageDay.ordinary

        #expect(day.events.count == 200 && day.sessions.count == 5)
        #expect(day.sessions.reduce(.zero) { $0 + $1.end - $1.start } == .seconds(30 * 60))
        #expect(day.events == day.events.sorted())
        #expect(day.sessions.allSatisfy { session in session.events.allSatisfy { $0 >= session.start } })
        #expect(day.sessions.allSatisfy { session in session.events.allSatisfy { $0 < session.end } })
        #expect(day.sessions == UsageDay.ordinary.sessions)
    }
}

@Suite struct PeerRuleTests {
    private let rule = PeerRule(name: "peer", events: 3, interval: .seconds(30))

    @Test func `the timer sends all waiting events, and nothing if none waits`() {
        let day = day([1, 2, 65], end: 100)

        #expect(rule.batches(of: day) == [batch(30, 0..<2), batch(90, 2..<3)])
    }

    @Test func `enough events are sent at once`() {
        let day = day([1, 2, 3, 4], end: 40)

        #expect(rule.batches(of: day) == [batch(3, 0..<3), batch(30, 3..<4)])
    }

    @Test func `the rest is sent in the background, together with a tick at the same time`() {
        #expect(rule.batches(of: day([1, 35], end: 40)) == [batch(30, 0..<1), batch(40, 1..<2)])
        #expect(rule.batches(of: day([1, 2], end: 30)) == [batch(30, 0..<2)])
    }

    @Test func `a session starts the timer again`() {
        let day = UsageDay(sessions: [session(0, [5], end: 10), session(100, [101], end: 145)])

        #expect(rule.batches(of: day) == [batch(10, 0..<1), batch(130, 1..<2)])
    }

    private func day(_ events: [Int], end: Int) -> UsageDay { UsageDay(sessions: [session(0, events, end: end)]) }

    private func session(_ start: Int, _ events: [Int], end: Int) -> UsageDay.Session {
        UsageDay.Session(start: .seconds(start), events: events.map { .seconds($0) }, end: .seconds(end))
    }

    private func batch(_ time: Int, _ events: Range<Int>) -> PeerRule.Batch {
        PeerRule.Batch(time: .seconds(time), events: events)
    }
}

@Suite struct TrafficTests {
    @Test(arguments: [([], 0), ([0], 1), ([0, 5, 10], 1), ([0, 6], 2), ([98, 0, 94, 3], 2)])
    func `a request wakes the radio if it starts more than 5 s after the previous one`(times: [Int], wakeUps: Int) {
        let requests = times.enumerated().map { request($1, to: $0.isMultiple(of: 2) ? "a" : "b") }

        #expect(Traffic(requests: requests).wakeUps == wakeUps)
    }

    @Test func `bytes and delays are those of all requests to a service`() {
        let traffic = Traffic(requests: [request(0, to: "a"), request(60, to: "a"), request(60, to: "b")])

        let part = traffic.to("a")

        #expect(traffic.services == ["a", "b"])
        #expect(part.requests.count == 2 && part.wakeUps == 2 && part.bytesUp == 20 && part.eventCount == 4)
        #expect(traffic.bytesDown * 2 == part.bytesDown * 3 && part.bytesDown > 0)
        #expect(part.longestDelay == .seconds(3) && part.meanDelay == .seconds(2))
        #expect(Traffic().meanDelay == .zero)
    }

    private func request(_ time: Int, to service: String) -> Traffic.Request {
        Traffic.Request(time: .seconds(time), service: service, bytes: 10, delays: [.seconds(1), .seconds(3)])
    }
}

@Suite(.timeLimit(.minutes(1))) struct VirtualDayTests {
    private let day = UsageDay(sessions: [
        UsageDay.Session(start: .zero, events: [.seconds(10), .seconds(69), .seconds(90)], end: .seconds(120)),
        UsageDay.Session(start: .seconds(9_000), events: [.seconds(9_001)], end: .seconds(9_002)),
    ])

    @Test func `both services share the schedule's requests, and the background sends the rest`() throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let run = try run(.phone)

        let times: [Duration] = [.seconds(70), .seconds(120), .seconds(9_002)]
        #expect(run.traffic.services.map { run.traffic.to($0).requests.map(\.time) } == [times, times])
        #expect(run.traffic.longestDelay == .seconds(60) && run.traffic.wakeUps == 3)
    }

    @Test func `without a schedule, each event is sent when it is tracked`() throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let run = try run(.immediate)

        #expect(run.traffic.requests.count == 8 && run.traffic.wakeUps == 4)
        #expect(run.traffic.longestDelay == .zero)
    }

    @Test func `a peer's requests carry the same events`() throws {
        guard #available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *) else { return }
        let run = try run(.phone)
        let rule = PeerRule(name: "peer", events: 100, interval: .seconds(70))

        let requests = try #require(run.recordings.first).requests(by: rule, on: day)

        #expect(requests.map(\.bytes) == run.recordings.first?.requests.map(\.bytes))
        #expect(requests.map(\.time) == [70, 120, 9_002].map { .seconds($0) })
    }

    @available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
    private func run(_ schedule: SendingSchedule) throws -> VirtualDay {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try VirtualDay(day, schedule: schedule, in: folder.path)
    }
}
