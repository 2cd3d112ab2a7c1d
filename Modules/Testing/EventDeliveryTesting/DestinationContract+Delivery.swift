import CoreTracker
import EventDelivery
import MultiTracker

extension DestinationContract.Subject {
    /// Tracks the sample event on the destination's lane.
    func track(on engine: DeliveryEngine) {
        engine.lane(destination.lane).track(sample.name, parameters: sample.parameters, defaults: sample.defaults)
    }

    /// Returns the ledger of the destination's lane.
    func ledger(of engine: DeliveryEngine) async -> LaneLedger {
        await engine.statistics().first { $0.id == destination.lane }?.ledger ?? LaneLedger()
    }

    func disabled() async throws -> [String] {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [], transport: transport))
        track(on: engine)
        await engine.close(timeout: .zero)
        let counted = await ledger(of: engine).dropped == [.noDestination: 1]
        return Self.violation(
            unless: counted && transport.requests.isEmpty,
            "an event without a destination is not counted under that reason"
        ) + (try await disabledTracker())
    }

    /// Checks that a registered and disabled tracker gets no calls and sends nothing.
    private func disabledTracker() async throws -> [String] {
        guard let tracker else { return [] }
        let engine = DeliveryEngine(clock: TestClock())
        let vendor = tracker(engine)
        let config = TrackerConfig(.all(except: [vendor.type]))
        let store = TrackerStore(config: config)
        let registered = store.register(vendor) == .registered
        let calls = Tracker(trackerStore: store)
        calls.track(VendorEvent(vendor.type, sample.name, sample.parameters))
        calls.trackPlay()
        calls.trackNavigate(toView: "to", fromView: "from")
        calls.trackLogin()
        // An event of a disabled vendor is counted as dropped.
        let tracked = await engine.statistics().reduce(0) { $0 + $1.ledger.accepted - $1.ledger.droppedTotal }
        config.enable(vendor.type)
        calls.track(VendorEvent(vendor.type, sample.name, sample.parameters))
        calls.trackPlay()
        let lanes = Set(await engine.statistics().filter { $0.ledger.accepted > $0.ledger.droppedTotal }.map(\.id))
        return Self.violation(unless: registered, "the tracker cannot be registered")
            + Self.violation(unless: tracked == 0, "a disabled tracker has tracked \(tracked) events")
            + Self.violation(
                unless: lanes.subtracting([destination.lane]).isEmpty,
                "the tracker tracks on another lane than the destination's: \(lanes.sorted())"
            )
    }

    func defaultsKept() async throws -> [String] {
        let recorder = RecordingDestination(lane: destination.lane, purpose: destination.purpose)
        let engine = try await recorder.makeEngine()
        let vendor = tracker?(engine) as? any Trackable & VendorEventTrackable
        if let vendor {
            vendor.track(VendorEvent(vendor.type, sample.name).withDefaults(["contract_default": "kept"]))
        }
        await engine.close(timeout: .zero)
        return Self.violation(
            unless: vendor == nil || recorder.events.last?.mergedParameters["contract_default"] == "kept",
            "the tracker drops the default parameters of an event"
        )
    }

    func consent() async throws -> [String] {
        let transport = ScriptedTransport()
        let engine = DeliveryEngine(clock: TestClock())
        let consent = [destination.purpose: Consent.denied]
        var configuration = DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        configuration.consent = consent
        try await engine.open(configuration)
        track(on: engine)
        await engine.close(timeout: .zero)
        let ledger = await ledger(of: engine)
        return Self.violation(unless: transport.requests.isEmpty, "a request is sent without consent")
            + Self.violation(
                unless: ledger.dropped == [.consentDenied: 1],
                "an event without consent is not counted under that reason: \(ledger.dropped)"
            )
    }

    func retry() async throws -> [String] {
        let acknowledgement = acknowledgement
        let transport = ScriptedTransport { _, number in
            number == 1 ? .fail(.timedOut) : .respond(acknowledgement)
        }
        let clock = TestClock()
        let engine = DeliveryEngine(clock: clock)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        for _ in 0..<min(3, destination.limits.events) { track(on: engine) }
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [destination], transport: transport)
        )
        if let wait = await diagnostics.nextRetry() {
            clock.advance(by: wait)
            await transport.requests(count: 2)
        }
        await engine.close(timeout: .zero)
        let (first, second) = (transport.requests.first, transport.requests.dropFirst().first)
        return Self.violation(unless: first == second, "the second attempt is a different request")
            + ids()
    }

    private func ids() -> [String] {
        guard sendsEventIDs, let fragment = try? destination.encoded(sample).fragment else { return [] }
        let hasID = fragment.contains(sample.id.description)
        return Self.violation(unless: hasID, "an event's id is not on the wire")
    }
}

extension DestinationContract.Subject {
    private static let strangeBodies = [
        "", "[]", "{}", "null", "nonsense", "\u{0}", "{\"errors\":[{\"index\":-1},{\"index\":7},{\"index\":1e99}]}",
        "{\"errors\":{\"index\":1},\"message\":7}", "Code: 99999999999999999999.", "#99 #-1 #0",
        String(repeating: "[", count: 2_000),
    ]

    func statusTable() -> [String] {
        guard !statuses.isEmpty else { return ["the vendor's table is empty"] }
        guard let batch = try? destination.batch(of: samples(2)) else { return [] }
        let violations = statuses.sorted { $0.key < $1.key }.flatMap { status, expected in
            let result = destination.result(for: HTTPResponse(status: status), of: batch)
            return Self.violation(
                unless: result == expected,
                "\(status) means \(result), not \(expected)"
            )
        }
        let page = HTTPResponse(
            status: acknowledgement.status,
            headers: ["Content-Type": "text/html"],
            body: Array("<html>Log in</html>".utf8)
        )
        let isTaken = destination.result(for: page, of: batch) == .delivered
        return violations
            + Self.violation(
                unless: !isTaken,
                "the page of a captive portal counts as an acknowledgement"
            )
    }

    func partialSuccess() -> [String] {
        guard let batch = try? destination.batch(of: samples(3)) else { return [] }
        return responses.flatMap { expected in
            let result = destination.result(for: expected.response, of: batch)
            return Self.violation(
                unless: result == expected.result,
                "the response \(ResponseText.snippet(expected.response.body)) means \(result), not \(expected.result)"
            )
        } + malformedResponses(to: batch)
    }

    /// Checks that results of malformed responses refer only to events of the batch.
    private func malformedResponses(to batch: OutgoingBatch) -> [String] {
        let known = Set(statuses.keys).union([200, 204, 207, 400, 413, 429, 500, acknowledgement.status])
        return known.sorted().flatMap { status in
            Self.strangeBodies.flatMap { body -> [String] in
                let response = HTTPResponse(status: status, body: Array(body.utf8))
                guard case .partial(let results) = destination.result(for: response, of: batch) else { return [] }
                let strangers = results.keys.filter { !batch.events.indices.contains($0) }.sorted()
                return Self.violation(
                    unless: strangers.isEmpty && !results.isEmpty,
                    "\(status) \(body.prefix(40)) refers to events \(strangers) of a batch of 3"
                )
            }
        }
    }
}
