import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import LoopbackCollector
import Testing

@testable import InspectorClient

@Suite(.timeLimit(.minutes(5))) struct DeliveryConfigurationInspectionTests {
    private static let link = "http://127.0.0.1:1/?token=abc"
    private let destination = LineDestination()

    /// Opens an engine that reports to a recording transport.
    private func engine(
        _ transport: RecordingTransport,
        consent: [ConsentPurpose: Consent] = [:]
    ) async throws -> DeliveryEngine {
        let engine = DeliveryEngine()
        var configuration = DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        configuration.consent = consent
        try await engine.open(configuration.inspected(at: Self.link, on: engine))
        return engine
    }

    @Test func `an event is reported with its parameters, the defaults and the bytes to send`() async throws {
        let transport = RecordingTransport()
        let engine = try await engine(transport)

        engine.lane(destination.lane).track("a", parameters: ["x": 1], defaults: ["x": 2, "y": 3.0])
        let event = await transport.report("event")
        let attempt = await transport.report("attempt")

        #expect(event?["lane"] == "T/lines")
        #expect(event?["own"] == #"{"x":1}"#)
        #expect(event?["defaults"] == #"{"x":2,"y":3.0}"#)
        #expect(event?["body"]?.string?.hasSuffix(#""props":{"x":1,"y":3.0}}"#) == true)
        #expect(attempt?["status"] == 200)
        #expect(attempt?["result"] == "delivered")
        await engine.close(timeout: .zero)
    }

    @Test func `an event that is refused by a rule is reported with the rule`() async throws {
        let transport = RecordingTransport()
        let engine = try await engine(transport)

        engine.lane(destination.lane).track("", parameters: [:])
        let event = await transport.report("event")

        #expect(event?["refused"] == "name_empty")
        #expect(event?["body"] == "")
        await engine.close(timeout: .zero)
    }

    @Test func `an event that waits for consent is reported as held`() async throws {
        let transport = RecordingTransport()
        let engine = try await engine(transport, consent: [.analytics: .unknown])

        engine.lane(destination.lane).track("a", parameters: [:])

        #expect(await transport.report("status")?["state"] == "awaiting consent")
        await engine.close(timeout: .zero)
    }

    @Test func `an event that waits for consent is reported by name, without parameters`() async throws {
        let transport = RecordingTransport()
        let engine = try await engine(transport, consent: [.analytics: .unknown])
        engine.user.identify("somebody")

        engine.lane(destination.lane).track("a", parameters: ["x": "secret"], defaults: ["y": "secret"])
        engine.lane(destination.lane).track("", parameters: ["x": "secret"])
        let held = await transport.report("awaiting_consent")
        let refused = await transport.report("awaiting_consent")

        #expect(held?["name"] == "a")
        #expect(Set(held?.keys ?? []) == ["kind", "lane", "id", "name", "time"])
        #expect(Set(refused?.keys ?? []) == ["kind", "lane", "id", "name", "time", "refused"])
        await engine.close(timeout: .zero)
    }

    @Test func `a pause and the ledger are reported for the lane`() async throws {
        let transport = RecordingTransport(statuses: [401])
        let engine = try await engine(transport)

        engine.lane(destination.lane).track("a", parameters: [:])
        let name = "\(destination.lane)"
        let lane = await transport.report("lane") { $0["lane"]?.string == name && $0["cause"] != nil }

        let cause = await engine.statistics().first?.explanation?.prefix { $0 != "," }
        #expect(cause == "the receiver refuses the credentials (status 401): correct the credentials")
        #expect(lane?["cause"]?.string?.prefix { $0 != "," } == cause)
        #expect(lane?["accepted"] == 1)
        #expect(lane?["pending"] == 1)
        await engine.close(timeout: .zero)
    }

    @Test func `an unchanged lane is reported again, for an inspector that has been started since`() async throws {
        let transport = RecordingTransport()
        let engine = try await engine(transport)
        engine.lane(destination.lane).track("a", parameters: [:])

        let first = await transport.report("lane") { $0["delivered"] == 1 }
        let second = await transport.report("lane") { $0["delivered"] == 1 }

        #expect(first != nil && first == second)
        await engine.close(timeout: .zero)
    }

    @Test(arguments: ["http://127.0.0.1:1/", "https://example.com/?token=abc"])
    func `a link without a token, or to another machine, is refused`(link: String) {
        let configuration = DeliveryConfiguration(directory: nil, destinations: [])

        #expect(throws: ConfigurationError.self) { try configuration.inspected(at: link) }
    }
}

@Suite struct InspectedDestinationTests {
    private let destination = LineDestination(
        purpose: .marketing,
        limits: BatchLimits(events: 7, bodyBytes: 9_000, framingBytes: 5)
    )
    private var inspected: InspectedDestination {
        get throws {
            let address = try InspectorAddress("http://127.0.0.1:1/?token=abc", allowsOtherMachines: false)
            let reporter = InspectionReporter(to: address, over: RecordingTransport())
            return InspectedDestination(destination, reporter: reporter)
        }
    }

    @Test func `it forwards to the destination without changes`() throws {
        let inspected = try inspected
        let event = OutgoingEvent.stub(parameters: ["x": "ü"])
        let batch = try destination.batch(of: [event])

        #expect(try inspected.encoded(event) == destination.encoded(event))
        #expect((inspected.lane, inspected.purpose) == (destination.lane, ConsentPurpose.marketing))
        #expect(inspected.limits == destination.limits)
        for status in [200, 302, 400, 401, 404, 429, 500] {
            let response = HTTPResponse(status: status)
            #expect(inspected.result(for: response, of: batch) == destination.result(for: response, of: batch))
        }
    }

    @Test func `earlier bytes are kept, and the destination's error is rethrown`() throws {
        let inspected = try inspected
        var encoder = EventEncoder()
        try inspected.encode(.stub(id: .stub(1)), into: &encoder)
        let first = encoder.bytes

        try inspected.encode(.stub(id: .stub(2)), into: &encoder)

        #expect(encoder.bytes.starts(with: first))
        #expect(throws: EventEncodingError(rule: "name_empty")) {
            try inspected.encode(.stub(name: ""), into: &encoder)
        }
    }

    @Test func `no description contains the token`() throws {
        var text = ""
        dump(try inspected, to: &text)

        #expect(!text.contains("abc"))
    }
}

@Suite struct InspectorAddressTests {
    @Test func `reports go to the inspector's own path, and the token is in no address`() throws {
        let address = try InspectorAddress("http://127.0.0.1:8123/?token=abc", allowsOtherMachines: false)

        let request = try #require(address.request([7]))

        #expect(request.url.absoluteString == "http://127.0.0.1:8123/inspector/state")
        let authorization = try HTTPHeader("Authorization", "Bearer abc")
        #expect(request.headers == [authorization, try HTTPHeader("Origin", "http://127.0.0.1:8123")])
        #expect(request.body == [7])
    }

    @Test(arguments: ["", "http://127.0.0.1:8123/", "ftp://127.0.0.1/?token=abc", "nonsense"], [false, true])
    func `a link without a token or a host is refused`(link: String, allowsOtherMachines: Bool) {
        #expect(throws: ConfigurationError.invalidURL(quoting: link)) {
            try InspectorAddress(link, allowsOtherMachines: allowsOtherMachines)
        }
    }

    @Test(arguments: ["http://192.168.1.2:8123/?token=abc", "https://example.com/?token=abc"])
    func `a link to another machine requires permission`(link: String) throws {
        let error = ConfigurationError.invalidValue(field: "the inspector's link", expected: "a loopback address")
        #expect(throws: error) {
            try InspectorAddress(link, allowsOtherMachines: false)
        }
        let request = try #require(InspectorAddress(link, allowsOtherMachines: true).request([7]))
        #expect(request.url.absoluteString == link.replacing("?token=abc", with: "inspector/state"))
    }

    @Test(arguments: ["http://localhost:1/?token=a", "http://[::1]:1/?token=a", "https://127.0.0.2:1/?token=a"])
    func `each loopback address is allowed`(link: String) throws {
        let request = try #require(InspectorAddress(link, allowsOtherMachines: false).request([]))

        #expect(request.url.absoluteString == link.replacing("?token=a", with: "inspector/state"))
    }
}

/// A transport that responds to events from a script, and records reports.
final class RecordingTransport: Transport {
    private let statuses: Mutex<[Int]>
    private let lines: AsyncStream<CollectedValue>.Continuation
    /// The lines of the reports, in the order of arrival.
    let reports: AsyncStream<CollectedValue>

    /// Creates a transport with responses to the first requests with events.
    ///
    /// All later requests get status 200.
    init(statuses: [Int] = []) {
        self.statuses = Mutex(statuses)
        (reports, lines) = AsyncStream.makeStream()
    }

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        guard request.url.path == "/inspector/state" else {
            return HTTPResponse(status: statuses.withLock { $0.isEmpty ? 200 : $0.removeFirst() })
        }
        for line in request.body.split(separator: UInt8(ascii: "\n")) {
            if let value = CollectedValue(Array(line)) { lines.yield(value) }
        }
        return HTTPResponse(status: 204)
    }

    /// Waits for the first report of a kind that satisfies a condition.
    func report(_ kind: String, where condition: (CollectedValue) -> Bool = { _ in true }) async -> CollectedValue? {
        for await line in reports where line["kind"]?.string == kind && condition(line) { return line }
        return nil
    }
}

extension CollectedValue {
    /// Returns the names of an object's members.
    var keys: [String] { if case .object(let members) = self { Array(members.keys) } else { [] } }
}
