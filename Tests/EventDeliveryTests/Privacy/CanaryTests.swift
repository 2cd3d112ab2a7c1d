import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

/// What becomes of a sensitive value whose policy does not let it pass.
@Suite struct CanaryTests {
    private static let canary = "canary-7f3a@example.com"
    private static let analytics = LaneID(product: "T", service: "analytics")
    private static let marketing = LaneID(product: "T", service: "marketing")
    private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }

    @Test(arguments: [SensitivePolicy.drop, .hash, .pass(.marketing)], [Secret?.none, Secret("pepper")])
    func `it is nowhere on disk, in requests, books, explanations and diagnostics`(
        policy: SensitivePolicy,
        salt: Secret?
    ) async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let engine = try await openEngine(salt: salt)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        let value = Sensitive(CanaryTests.canary)
        let parameters = EventParameters.sensitive(value, as: "mail", policy).merging(["note": "to \(value)"])

        let lane = engine.lane(CanaryTests.analytics)
        let receipt = await lane.track("signed_up", parameters: parameters, defaults: parameters, until: .persisted)
        await transport.requests(count: 1)
        let retry = try #require(await diagnostics.next())
        let texts = [
            "\(retry)", String(reflecting: retry), "\(parameters)",
            String(describing: await engine.explain(receipt.id)),
        ]
        let books = "\(await engine.statistics()) \(await engine.storedEvents())"
        await engine.close(deadline: .zero)

        #expect((texts + [books]).allSatisfy { !$0.contains(CanaryTests.canary) })
        #expect(
            transport.requests.allSatisfy { !"\($0) \(String(decoding: $0.body, as: UTF8.self))".contains("canary") }
        )
        #expect(try filesWithCanary().isEmpty)
    }

    @Test func `under its purpose it reaches the services of that purpose and no other`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        let engine = try await openEngine(salt: nil)
        let parameters = EventParameters.sensitive(Sensitive(CanaryTests.canary), as: "value", .pass(.marketing))

        for lane in [CanaryTests.analytics, CanaryTests.marketing] {
            engine.lane(lane).track("signed_up", parameters: parameters)
        }
        let report = await engine.flush(deadline: .seconds(5))
        await engine.close(deadline: .zero)

        #expect(report.isDrained)
        let knowing = transport.requests.filter {
            String(decoding: $0.body, as: UTF8.self).contains(CanaryTests.canary)
        }
        #expect(Set(knowing.map(\.url.path)) == ["/marketing"])
        #expect(Set(transport.requests.map(\.url.path)) == ["/analytics", "/marketing"])
        #expect(try filesWithCanary().isEmpty)
    }

    @Test func `what could not be hashed is counted`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let engine = try await openEngine(salt: nil)
        let parameters = EventParameters.sensitive(Sensitive(CanaryTests.canary), as: "mail", .hash)

        let lane = engine.lane(CanaryTests.analytics)
        _ = await lane.track("signed_up", parameters: parameters, until: .persisted)

        let books = try #require(await engine.statistics().first { $0.id == CanaryTests.analytics })
        #expect(books.ledger.repaired == ["sensitive_salt_missing": 1])
        await engine.close(deadline: .zero)
    }

    private func openEngine(salt: Secret?) async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        let destinations = [
            LineDestination(
                lane: CanaryTests.analytics,
                purpose: .analytics,
                endpoint: URL(filePath: "/analytics")
            ),
            LineDestination(
                lane: CanaryTests.marketing,
                purpose: .marketing,
                endpoint: URL(filePath: "/marketing")
            ),
        ]
        try await engine.open(
            DeliveryConfiguration(directory: directory, destinations: destinations, transport: transport, salt: salt)
        )
        return engine
    }

    private func filesWithCanary() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        let files = names.compactMap { FileManager.default.contents(atPath: directory.appending(path: $0).path) }
        #expect(!files.isEmpty)
        return zip(names, files).filter { $1.range(of: Data("canary".utf8)) != nil }.map(\.0)
    }
}
