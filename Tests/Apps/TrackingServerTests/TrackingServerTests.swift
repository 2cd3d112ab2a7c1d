#if os(macOS) || os(Linux)
import AwesomeTracking
import CoreTracker
import DeliveryMetrics
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(2))) struct TrackingServerTests {
    private let queue: TemporaryQueue
    private let receiver: LoopbackCollector

    init() throws {
        queue = try TemporaryQueue()
        receiver = try LoopbackCollector()
    }

    /// A running server, and the clients' side of it.
    private struct Server {
        let process: ChildProcess
        let address: String
        private let transport = PlatformTransport()

        /// Starts a server, and waits until it listens.
        init(_ arguments: [String]) async throws {
            process = try ChildProcess(product: "TrackingServer", arguments: arguments)
            var address = ""
            for await line in process.lines {
                address = line.split(separator: " ").last.map(String.init) ?? ""
                break
            }
            self.address = address
        }

        func send(_ method: String, _ target: String) async throws -> HTTPResponse {
            let url = try #require(URL(string: address + target))
            return try await transport.send(
                HTTPRequest(url: url, method: method, body: []),
                timeout: .seconds(30)
            )
        }

        /// Tracks a view, and returns the status.
        func view(_ user: String, _ product: String) async throws -> Int {
            try await send("POST", "/views?user=\(user)&product=\(product)").status
        }
    }

    private func start(_ arguments: [String] = []) async throws -> Server {
        try await Server(["--directory", queue.url.path, "--receiver", "\(receiver.url)"] + arguments)
    }

    @Test func `events of concurrent users are delivered with their user, and SIGTERM ends the server with status 0`()
        async throws
    {
        let server = try await start()

        let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
            for user in 0..<8 {
                group.addTask {
                    var statuses: [Int] = []
                    for product in 0..<10 { statuses.append(try await server.view("u\(user)", "p\(product)")) }
                    return statuses
                }
            }
            return try await group.reduce([], +)
        }
        let metrics = try await server.send("GET", "/metrics")
        server.process.send(signal: SIGTERM)
        let end = await server.process.ended()

        #expect(end == .code(0))
        #expect(statuses == Array(repeating: 202, count: 80))
        let text = String(decoding: metrics.body, as: UTF8.self)
        #expect(metrics.headers["content-type"] == LaneStatistics.prometheusContentType)
        #expect(
            text.contains(#"event_delivery_events_accepted_total{product="AC",service="awesomeTracking"} 80"# + "\n")
        )
        #expect(text.contains(#"service="awesomeTracking",reason="expired",intended="false"} 0"# + "\n"))
        let views = receiver.events(of: .awesomeTracking).map { event in
            let user = event.json["user_id"]?.string ?? ""
            let props = event.json["props"]?.string ?? ""
            return "\(user) \(props)"
        }
        #expect(views.count == 80)
        for user in 0..<8 {
            let theirs = views.filter { $0.hasPrefix("u\(user) ") && $0.contains(#""route":"/views""#) }
            #expect(theirs.count == 10)
            for product in 0..<10 {
                #expect(theirs.filter { $0.contains(#""item_id":"p\#(product)""#) }.count == 1)
            }
        }
    }

    @Test func `a full buffer delays requests, then rejects them with 503, until events can be stored`() async throws {
        // Another worker uses the directory, so the server stores nothing.
        let other = DeliveryEngine()
        try await other.open(DeliveryConfiguration(directory: queue.url, destinations: []))
        let server = try await start(["--capacity", "3", "--wait", "200"])

        var statuses: [Int] = []
        for number in 1...3 { statuses.append(try await server.view("u", "p\(number)")) }
        let full = try await server.send("POST", "/views?user=u&product=p4")
        // These calls wait when the directory becomes free. Their deadlines are shorter than the engine's next attempt.
        await other.close(timeout: .zero)
        var last = 0
        while last != 202 { last = try await server.view("u", "p5") }
        server.process.send(signal: SIGTERM)

        #expect(await server.process.ended() == .code(0))
        #expect(statuses == [202, 202, 202])
        #expect((full.status, full.headers["retry-after"]) == (503, "1"))
        #expect(receiver.events(of: .awesomeTracking).count == 4)
    }

    @Test(arguments: [SIGTERM, SIGINT])
    func `without a receiver, the server ends by its deadline and leaves the events`(
        signal: Int32
    ) async throws {
        let hold = CollectorHold()
        receiver.setScript(.always(.hold(hold, then: .accept)))
        let server = try await start(["--deadline", "3"])

        for number in 1...5 { _ = try await server.view("u", "p\(number)") }
        let start = ContinuousClock.now
        server.process.send(signal: signal)
        let end = await server.process.ended()
        let passed = ContinuousClock.now - start
        hold.release()

        #expect(end == .code(0))
        // The request that hangs would end after 30 seconds.
        #expect(passed < .seconds(25))
        // A later worker delivers the events.
        receiver.setScript(.accept)
        let next = try await self.start()
        next.process.send(signal: SIGTERM)
        #expect(await next.process.ended() == .code(0))
        #expect(receiver.events(of: .awesomeTracking).count == 5)
    }

    @Test func `a directory that cannot be used is named, and so are the events that it costs`() async throws {
        let hold = CollectorHold()
        receiver.setScript(.always(.hold(hold, then: .accept)))
        let arguments = ["--directory", "/proc/x", "--receiver", "\(receiver.url)", "--deadline", "2"]
        let lines = try await TrackingServerTests.lines(of: arguments, endingWith: 1)
        hold.release()

        let cause = "EventDelivery warning: AC/awesomeTracking: the directory /proc/x cannot be used ("
        #expect(lines.count { $0.hasPrefix(cause) && $0.contains("): correct the path") } == 1, "\(lines)")
        let lost = "EventDelivery warning: AC/awesomeTracking: 1 event is lost, because the engine was closed: "
        #expect(lines.count { $0.hasPrefix(lost) } == 1, "\(lines)")
        #expect(lines.last == "stopped; 1 event is not delivered")
        #expect(lines.count == 4, "\(lines)")
    }

    @Test func `a wrong port of the receiver is one line on standard error, and the kept event another one`()
        async throws
    {
        receiver.close()
        let arguments = ["--directory", queue.url.path, "--receiver", "\(receiver.url)", "--deadline", "2"]

        let lines = try await TrackingServerTests.lines(of: arguments, endingAfter: "EventDelivery warning: ")

        let log = lines.filter { $0.hasPrefix("EventDelivery ") }
        let host = "\(receiver.url)".dropFirst("http://".count)
        let cause = "\(host) refused the connection: check its port, and that it runs; the engine tries again"
        let kept = "EventDelivery notice: AC/awesomeTracking: 1 event is kept for the next start"
        #expect(log.first?.hasPrefix("EventDelivery warning: AC/awesomeTracking: \(cause)") == true, "\(lines)")
        #expect(log.dropFirst() == [kept], "\(lines)")
    }

    @Test func `with the log off, nothing is written to standard error`() async throws {
        receiver.close()
        let arguments = ["--directory", queue.url.path, "--receiver", "\(receiver.url)", "--deadline", "2"]

        let lines = try await TrackingServerTests.lines(of: arguments, log: "off")

        #expect(lines.count == 2, "\(lines)")
    }

    /// Returns the output and the log of a server that tracks one view and then ends.
    ///
    /// - Parameters:
    ///   - arguments: The arguments of the server.
    ///   - log: The detail of the log.
    ///   - start: The start of the line that the server must write before it ends, or `nil`.
    ///   - status: The expected status of the process.
    private static func lines(
        of arguments: [String],
        log: String = "warnings",
        endingAfter start: String? = nil,
        endingWith status: Int32 = 0
    ) async throws -> [String] {
        let process = try ChildProcess(
            product: "TrackingServer",
            arguments: arguments,
            environment: ["EVENT_DELIVERY_LOG": log],
            includesErrors: true
        )
        var lines: [String] = []
        for await line in process.lines {
            lines.append(line)
            if let start, line.hasPrefix(start) { process.send(signal: SIGTERM) }
            guard line.hasPrefix("listening on "), let address = line.split(separator: " ").last else { continue }
            let url = try #require(URL(string: "\(address)/views?user=u"))
            let view = HTTPRequest(url: url, method: "POST", body: [])
            #expect(try await PlatformTransport().send(view, timeout: .seconds(30)).status == 202)
            if start == nil { process.send(signal: SIGTERM) }
        }
        #expect(await process.ended() == .code(status))
        return lines
    }

    @Test func `the probes tell a running server from one that can store events, with the reason`() async throws {
        let other = DeliveryEngine()
        try await other.open(DeliveryConfiguration(directory: queue.url, destinations: []))
        let server = try await start(["--log"])

        let live = try await server.send("GET", "/live")
        let waiting = try await server.send("GET", "/ready")
        await other.close(timeout: .zero)
        var ready = waiting
        while ready.status != 200 { ready = try await server.send("GET", "/ready") }
        server.process.send(signal: SIGTERM)

        #expect(await server.process.ended() == .code(0))
        #expect((live.status, waiting.status) == (200, 503))
        #expect(String(decoding: waiting.body, as: UTF8.self).contains("another process uses the directory"))
    }

    @Test func `with --log, each line of standard error is JSON, and the warning about http is one of them`()
        async throws
    {
        let arguments = ["--receiver", "http://192.0.2.1", "--deadline", "2", "--log", "--host", "0.0.0.0"]

        let lines = try await TrackingServerTests.lines(of: arguments, endingWith: 1)

        let others = lines.filter { !$0.hasPrefix("{") }
        #expect(others.count == 2 && others[0].hasPrefix("listening on http://0.0.0.0:"), "\(lines)")
        let codes = try lines.filter { $0.hasPrefix("{") }.map { line in
            try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        }.compactMap { $0?["code"] as? String }
        #expect(codes.filter { $0 == "unencrypted" }.count == 1, "\(lines)")
    }

    @Test(arguments: [
        ("192.0.2.1", "this machine does not have the address 192.0.2.1"),
        ("2001:db8::1", "this machine does not have the address 2001:db8::1"),
        ("localhost", "localhost is not an IP address"),
    ]) func `an address that this machine lacks is named`(host: String, sentence: String) async throws {
        let process = try ChildProcess(product: "TrackingServer", arguments: ["--host", host], includesErrors: true)
        var lines: [String] = []

        for await line in process.lines { lines.append(line) }

        #expect(await process.ended() == .code(1))
        #expect(lines.count { $0.contains(sentence) } == 1, "\(lines)")
    }

    @Test func `a server listens on all addresses of both kinds`() async throws {
        let server = try await start(["--host", "::"])
        let port = try #require(server.address.split(separator: ":").last)

        for host in ["127.0.0.1", "[::1]"] {
            let url = try #require(URL(string: "http://\(host):\(port)/live"))
            let request = HTTPRequest(url: url, method: "GET", body: [])
            #expect(try await PlatformTransport().send(request, timeout: .seconds(30)).status == 200)
        }
        server.process.send(signal: SIGTERM)
        #expect(await server.process.ended() == .code(0))
    }

    @Test func `other requests have the usual statuses`() async throws {
        let server = try await start()

        #expect(try await server.send("POST", "/views").status == 400)
        #expect(try await server.send("GET", "/unknown").status == 404)
        server.process.send(signal: SIGTERM)
        #expect(await server.process.ended() == .code(0))
    }

    @Test(arguments: [("--help", 0), ("--bogus", 64), ("--receiver=", 64)])
    func `help and mistakes end the process with a status`(argument: String, status: Int) async throws {
        let process = try ChildProcess(product: "TrackingServer", arguments: [argument])

        #expect(await process.ended() == .code(Int32(status)))
    }
}
#endif
