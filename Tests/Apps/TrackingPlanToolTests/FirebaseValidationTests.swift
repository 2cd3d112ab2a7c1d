import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import SuperApp
import Testing

@testable import TrackingPlanTool

@Suite(.timeLimit(.minutes(5))) struct FirebaseValidationTests {
    @Test func `every example of this repository is valid under strict rules`() async throws {
        let collector = try LoopbackCollector(script: .measurementProtocolValidation)
        defer { collector.close() }

        let result = try await FirebaseValidation(server: collector.url).run(.all)

        #expect(result.isSuccess, "\(result.text)")
        let events = [EventCatalog].all.flatMap(\.events).count { $0.isForFirebase }
        #expect(result.text.hasSuffix("examples of \(events) events at \(collector.url): 0 messages"))
        #expect(collector.requests.count >= events)
        #expect(collector.requests.allSatisfy { $0.path == "/debug/mp/collect" && $0.contains("ENFORCE_RECOMM") })
    }

    @Test func `messages are listed by event`() async throws {
        let collector = try LoopbackCollector(script: .measurementProtocolValidation)
        defer { collector.close() }

        let result = try await FirebaseValidation(server: collector.url).run([.unfinished])

        #expect(!result.isSuccess)
        let place = "Unfinished (purchase, example 1): VALUE_REQUIRED events[0].params"
        #expect(result.text.hasPrefix("\(place).transaction_id The event purchase requires it.\n\(place).items "))
        #expect(result.text.hasSuffix("1 examples of 1 events at \(collector.url): 3 messages"))
    }

    @Test(arguments: [
        HTTPResponse(status: 204), HTTPResponse(status: 200, body: Array("<html>".utf8)), HTTPResponse(status: 500),
    ])
    func `a response that is not of a validation server is an error`(response: HTTPResponse) async throws {
        let validation = try FirebaseValidation(transport: ScriptedTransport { _, _ in .respond(response) })

        let failure = await #expect(throws: FirebaseValidation.Failure.self) {
            try await validation.run(.all)
        }

        #expect(
            failure?.description.hasSuffix("is not a validation server; it responds with \(response.status)") == true
        )
    }

    @Test func `without a server's response there is no result`() async throws {
        let validation = try FirebaseValidation(transport: ScriptedTransport { _, _ in .fail(.timedOut) })

        await #expect(throws: FirebaseValidation.Failure.self) { try await validation.run(.all) }
    }

    @Test func `the tool validates with a local server`() async throws {
        #expect(try await TrackingPlanTool.run(["validate-firebase", "loopback"]).isSuccess)
        await #expect(throws: FirebaseValidation.Failure.self) {
            try await TrackingPlanTool.run(["validate-firebase", "https://localhost", "more"])
        }
    }
}

/// An invalid purchase.
private struct Unfinished: PlannedEvent {
    var services: [EventService] { [.firebase(FirebaseEvent(name: "purchase", parameters: ["value": 1]))] }

    static var plan: EventPlan<Unfinished> {
        EventPlan("Unfinished", owner: "Nobody", purpose: "None.", examples: [Unfinished()])
    }
}

extension PlannedEvent {
    /// Whether an example has a Firebase event.
    fileprivate static var isForFirebase: Bool {
        plan.examples.flatMap(\.services).contains { if case .firebase = $0 { true } else { false } }
    }
}

extension EventCatalog {
    fileprivate static let unfinished = EventCatalog("XX", product: "XX", events: [Unfinished.self])
}
