import CoreTracker
import EventDelivery
import FirebaseTracking
import Testing

@testable import TrackingPlan

@Suite struct ExampleRequestTests {
    private static let configuration = try? FirebaseConfiguration(firebaseAppID: "1:1:ios:1", apiSecret: "a")

    private func requests(_ catalogs: [EventCatalog], product: String) throws -> [ExampleRequest] {
        let destination = FirebaseDestination(
            product: product,
            configuration: try #require(Self.configuration)
        )
        return ExampleRequest.all(in: catalogs, to: destination)
    }

    @Test func `each example is a separate request in the service's format`() throws {
        let requests = try requests([.accounts], product: "AC")

        #expect(requests.map(\.event) == ["SignedUp", "SignedUp"])
        #expect(requests.map(\.name) == ["sign_up", "sign_up"])
        #expect(requests.map(\.number) == [1, 2])
        let bodies = requests.map { String(decoding: $0.request.body, as: UTF8.self) }
        #expect(bodies.allSatisfy { $0.contains(#""user_id":"u-1","events":[{"name":"sign_up""#) })
        #expect(bodies.map { $0.contains(#""friends":2"#) } == [false, true])
    }

    @Test func `events of another product are not sent`() throws {
        #expect(try requests([.accounts], product: "DL").isEmpty)
    }

    @Test func `examples that the destination refuses are omitted`() throws {
        let names = try requests([BrokenEvents.catalog], product: BrokenEvents.catalog.product).map(\.name)

        #expect(!names.contains("session_start"))
    }
}

@Suite struct ExampleBodyTests {
    @Test func `each distinct body of a call occurs once, and is reproducible`() throws {
        let services = try CheckedService.stubs()

        let bodies = ExampleBody.all(in: [.accounts], at: services)

        #expect(bodies.map(\.service) == ["firebase", "braze", "firebase", "braze"])
        #expect(Set(bodies).count == bodies.count)
        #expect(ExampleBody.all(in: [.accounts], at: services) == bodies)
        #expect(bodies.allSatisfy { $0.text.hasPrefix("{") && !$0.text.contains("ali@example.com") })
    }

    @Test func `a time is fixed in each vendor's format`() throws {
        let bodies = ExampleBody.all(in: [.accounts], at: try CheckedService.stubs())

        #expect(bodies.first { $0.service == "firebase" }?.text.contains(":1772359200000000,") == true)
        #expect(bodies.first { $0.service == "braze" }?.text.contains("2026-03-01T10:00:00.000Z") == true)
    }
}
