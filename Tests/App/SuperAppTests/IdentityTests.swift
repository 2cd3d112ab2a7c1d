import AppTracking
import CoreTracker
import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

/// Tests of the page on identity: each piece of JSON in its table is in the request of its service.
@Suite(.timeLimit(.minutes(5))) struct IdentityTests {
    /// The lines of the page's table, whose first cell is the scene.
    private static let rows: [[String]] = {
        let page = URL(filePath: #filePath)
            .appending(path: "../../../../Modules/Delivery/EventDelivery/EventDelivery.docc/Identity.md").standardized
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }.filter { $0.count == 7 && $0[1].hasPrefix("`") }
    }()

    private let device = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"

    @Test func `the page has seven events`() {
        #expect(IdentityTests.rows.count == 7)
    }

    @Test(arguments: rows)
    func `each service receives the identity of the page`(row: [String]) async throws {
        for (destination, cell) in zip(try SixServices.destinations(), row.dropFirst()) {
            let (engine, transport) = (DeliveryEngine(clock: TestClock()), ScriptedTransport())
            let app = AppDelivery(on: engine, backgroundTask: NoBackgroundTask(), environment: [:])
            var configuration = DeliveryConfiguration(
                directory: nil,
                destinations: [destination],
                transport: transport
            )
            if row[0].hasPrefix("an id of your own") {
                let id = try #require(row[0].split(separator: "`").last)
                configuration.installation = try InstallationID(String(id))
                #expect(id == "8b5cf1f6-6a4e-4d0c-9a5e-2f1d7c3b9e10")
            }
            try await engine.open(configuration)
            if row[0] != "before the first visit" { app.receive(.becameActive) }

            track(row[0], on: engine.lane(destination.lane), of: engine)
            _ = await engine.flush(timeout: .seconds(5))

            let body = transport.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined()
            let piece = cell.trimmingCharacters(in: CharacterSet(charactersIn: "`"))
                .replacingOccurrences(of: "<installation>", with: engine.identity.deviceID)
                .replacingOccurrences(of: "<session>", with: engine.identity.sessionID)
            #expect(body.contains(piece), "\(destination.lane): \(body)")
            if row[0].hasPrefix("a scope") { #expect(!body.contains(engine.identity.deviceID)) }
            if row[0] == "before the first visit" { #expect(!body.contains("session_id\":1")) }
        }
    }

    /// Tracks the event of a scene.
    private func track(_ scene: String, on lane: DeliveryLane, of engine: DeliveryEngine) {
        switch scene {
        case "after `identify(\"u-1\")`":
            engine.user.identify("u-1")
            lane.track("viewed")
        case "a scope with user `u-1` and session `r-1`":
            withTracking(user: "u-1", session: "r-1") { lane.track("viewed") }
        case "a scope with session `r-2` alone": withTracking(session: "r-2") { lane.track("viewed") }
        case "a scope with a device and user `u-1`":
            withTracking(device: device, user: "u-1") { lane.track("viewed") }
        default: lane.track("viewed")
        }
    }
}

private struct NoBackgroundTask: BackgroundTask {
    func run(_ work: nonisolated(nonsending) @escaping @Sendable () async -> Void) {}
}
