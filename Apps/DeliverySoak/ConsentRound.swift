import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import LoopbackCollector

/// One engine from which consent is taken away while it uploads.
struct ConsentRound {
    private static let canary = "CANARY-OF-THE-SOAK"

    /// Requests that began after the denial had returned.
    let requestsAfterDenial: Int
    /// Files of the queue in which a payload was found afterwards.
    let leftBytes: Int

    static func run(events: Int) async throws -> ConsentRound {
        let directory = FileManager.default.temporaryDirectory.appending(path: "soak-consent-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let collector = try LoopbackCollector(services: [], keeps: .idsOnly)
        defer { collector.close() }
        let lane = LaneID(product: "C", service: "lines")
        let destination = LineDestination(
            lane: lane,
            limits: BatchLimits(events: 10, bodyBytes: 100_000),
            endpoint: try Endpoint(collector.url + "/lines").url
        )
        let engine = DeliveryEngine()
        try await engine.open(DeliveryConfiguration(directory: directory, destinations: [destination]))
        for _ in 1...events { engine.lane(lane).track("asked", parameters: ["canary": .string(canary)]) }
        await collector.tally { $0.begunRequests > 0 }
        try await engine.setConsent(.denied, for: .analytics)
        let begun = collector.tally.begunRequests
        for _ in 1...10 { engine.lane(lane).track("late", parameters: ["canary": .string(canary)]) }
        _ = await engine.flush(deadline: .milliseconds(100))
        let left = try filesWithCanary(in: directory)
        await engine.close(deadline: .zero)
        return ConsentRound(requestsAfterDenial: collector.tally.begunRequests - begun, leftBytes: left)
    }

    private static func filesWithCanary(in directory: URL) throws -> Int {
        try FileManager.default.subpathsOfDirectory(atPath: directory.path).count { name in
            let data = FileManager.default.contents(atPath: directory.appending(path: name).path) ?? Data()
            return data.range(of: Data(canary.utf8)) != nil
        }
    }
}
