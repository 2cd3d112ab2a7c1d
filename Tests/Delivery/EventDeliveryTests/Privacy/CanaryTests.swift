import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

/// Checks that a sensitive value appears only where its policy allows it.
@Suite(.timeLimit(.minutes(5))) struct CanaryTests {
    private static let canary = "canary-7f3a@example.com"
    private static let analytics = LaneID(product: "T", service: "analytics")
    private static let marketing = LaneID(product: "T", service: "marketing")
    private let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private let transport = ScriptedTransport { _, _ in .fail(.connectionFailed(code: 111)) }

    @Test(arguments: [SensitivePolicy.drop, .hash, .pass(.marketing)], [Secret?.none, Secret("pepper")])
    func `a sensitive value is not on disk or in requests, ledgers, explanations and diagnostics`(
        policy: SensitivePolicy,
        salt: Secret?
    ) async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let engine = try await openEngine(salt: salt)
        var diagnostics = engine.diagnostics().makeAsyncIterator()
        let value = Sensitive(CanaryTests.canary)
        let parameters = EventParameters.sensitive(value, as: "mail", policy: policy).merging(["note": "to \(value)"])

        let lane = engine.lane(CanaryTests.analytics)
        let receipt = await lane.trackUntilStored("signed_up", parameters: parameters, defaults: parameters)
        await transport.requests(count: 1)
        let retry = try #require(await diagnostics.next())
        let texts = [
            "\(retry)", String(reflecting: retry), "\(parameters)",
            String(describing: await engine.explain(receipt.id)),
        ]
        let ledgers = "\(await engine.statistics()) \(await engine.storedEvents())"
        await engine.close(timeout: .zero)

        #expect((texts + [ledgers]).allSatisfy { !$0.contains(CanaryTests.canary) })
        #expect(
            transport.requests.allSatisfy { !"\($0) \(String(decoding: $0.body, as: UTF8.self))".contains("canary") }
        )
        #expect(try filesWithCanary().isEmpty)
    }

    @Test func `a sensitive value reaches only the services of its purpose`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        let engine = try await openEngine(salt: nil)
        let parameters = EventParameters.sensitive(
            Sensitive(CanaryTests.canary),
            as: "value",
            policy: .pass(.marketing)
        )

        for lane in [CanaryTests.analytics, CanaryTests.marketing] {
            engine.lane(lane).track("signed_up", parameters: parameters)
        }
        let report = await engine.flush(timeout: .seconds(5))
        await engine.close(timeout: .zero)

        #expect(report.isDrained)
        let knowing = transport.requests.filter {
            String(decoding: $0.body, as: UTF8.self).contains(CanaryTests.canary)
        }
        #expect(Set(knowing.map(\.url.path)) == ["/marketing"])
        #expect(Set(transport.requests.map(\.url.path)) == ["/analytics", "/marketing"])
        #expect(try filesWithCanary().isEmpty)
    }

    @Test func `a value that cannot be hashed is counted`() async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let engine = try await openEngine(salt: nil)
        let parameters = EventParameters.sensitive(Sensitive(CanaryTests.canary), as: "mail", policy: .hash)

        let lane = engine.lane(CanaryTests.analytics)
        _ = await lane.trackUntilStored("signed_up", parameters: parameters)

        let ledgers = try #require(await engine.statistics().first { $0.id == CanaryTests.analytics })
        #expect(ledgers.ledger.adjusted == ["sensitive_salt_missing": 1])
        await engine.close(timeout: .zero)
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
        var configuration = DeliveryConfiguration(
            directory: directory,
            destinations: destinations,
            transport: transport
        )
        configuration.salt = salt
        try await engine.open(configuration)
        return engine
    }

    private func filesWithCanary() throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: directory.path)
        let files = names.compactMap { FileManager.default.contents(atPath: directory.appending(path: $0).path) }
        #expect(!files.isEmpty)
        return zip(names, files).filter { $1.range(of: Data("canary".utf8)) != nil }.map(\.0)
    }

    @Test(arguments: [SensitivePolicy.drop, .hash, .pass(.marketing)])
    func `in an item of a list, and among the product's defaults, its policy holds as well`(policy: SensitivePolicy)
        async throws
    {
        defer { try? FileManager.default.removeItem(at: directory) }
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        let engine = try await openEngine(salt: Secret("pepper"))
        let inner = EventParameters.sensitive(Sensitive(CanaryTests.canary), as: "mail", policy: policy)
        let item: EventParameters = ["item": "a", "owner": .object(inner)]
        let hash = #""mail":"[0-9a-f]{64}""#

        for lane in [CanaryTests.analytics, CanaryTests.marketing] {
            engine.lane(lane).track("bought", parameters: ["items": [.object(item)]], defaults: inner)
        }
        _ = await engine.flush(timeout: .seconds(5))

        let bodies = transport.requests.map { ($0.url.path, String(decoding: $0.body, as: UTF8.self)) }
        let knowing = bodies.filter { $0.1.contains(CanaryTests.canary) }.map(\.0)
        let hashed = try bodies.map { try $0.1.matches(of: Regex(hash)).count }
        #expect(bodies.count == 2)
        #expect(knowing == (policy == .pass(.marketing) ? ["/marketing"] : []))
        #expect(hashed == (policy == .hash ? [2, 2] : [0, 0]))
        await engine.close(timeout: .zero)
    }

    @Test(arguments: [SensitivePolicy.drop, .hash, .pass(.marketing)])
    func `a sensitive user id reaches only the services that its policy allows`(policy: SensitivePolicy) async throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        transport.setScript { _, _ in .respond(HTTPResponse(status: 200)) }
        let engine = try await openEngine(salt: Secret("pepper"))

        engine.user.identify(Sensitive(CanaryTests.canary), policy: policy)
        let shown = "\(engine.identity)" + String(reflecting: engine.identity)
        for lane in [CanaryTests.analytics, CanaryTests.marketing] { engine.lane(lane).track("e", parameters: [:]) }
        engine.user.identify("plain")
        engine.lane(CanaryTests.analytics).track("later", parameters: [:])
        _ = await engine.flush(timeout: .seconds(5))
        await engine.close(timeout: .zero)

        let users = transport.requests.flatMap { request in
            String(decoding: request.body, as: UTF8.self).matches(of: /"name":"e".*"user":"([^"]*)"/)
                .map { (request.url.path, String($0.1)) }
        }
        #expect(!shown.contains("canary"))
        #expect(users.count == 2)
        for (path, user) in users {
            switch policy {
            case .drop: #expect(user.isEmpty)
            case .hash: #expect(user.count == 64)
            case .pass: #expect(user == (path == "/marketing" ? CanaryTests.canary : ""))
            }
        }
        #expect(try filesWithCanary().isEmpty)
    }
}
