import AwesomeTracking
import CoreTracker
import EventDelivery
import Foundation
import LoopbackCollector
import WebBridge

/// The host of a mini app, which prints the results of messages, the ledger and the first delivered row.
///
/// With the origin of the guest's pages as its argument, it reads messages from its standard input: an origin, a tab
/// and the message. Otherwise, it uses messages of its own.
@main
enum WebGuest {
    static let messages = [
        #"{"service":"awesomeTracking","name":"item_liked","parameters":{"item_id":"7","price":35.79}}"#,
        #"{"service":"awesomeTracking","name":"item_liked","parameters":{"item_id":"7","price":1,"mail":"a@b"}}"#,
        "no JSON", String(repeating: "[", count: 1_000), String(repeating: "a", count: 5_000_000),
    ]

    static func main() async throws {
        let collector = try LoopbackCollector()
        let rows = try ClickHouseConfiguration(endpoint: collector.url)
        let engine = DeliveryEngine.shared
        let destination = ClickHouseDestination(product: "MS", configuration: rows)
        try await engine.open(DeliveryConfiguration(directory: nil, destinations: [destination]))
        engine.user.identify("u-8841")
        let guest = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Guest/plan.schema.json")
        let origin = CommandLine.arguments.dropFirst().first ?? "https://mini.example"
        let bridge = try WebBridge(product: "MS", schema: Data(contentsOf: guest), origins: [origin])

        var lines = messages.map { "\(origin)\t\($0)" } + ["https://evil.example\t\(messages[0])"]
        lines += Array(repeating: lines[0], count: 10_000)
        if CommandLine.arguments.count > 1 { lines = Array(AnyIterator { readLine() }) }
        var results: [(text: String, count: Int)] = []
        for line in lines {
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let reason = bridge.receive(parts.last ?? "", from: parts.first ?? "")
            let text = reason.map { "refused: \($0)" } ?? "accepted"
            if let index = results.firstIndex(where: { $0.text == text }) {
                results[index].count += 1
            } else {
                results.append((text, 1))
            }
        }
        for result in results { print(result.text, "×", result.count) }
        await engine.close(timeout: .seconds(10))
        for lane in await engine.statistics() {
            print(lane.id, "accepted", lane.ledger.accepted, "delivered", lane.ledger.delivered)
            for (reason, count) in lane.ledger.dropped.sorted(by: { $0.key.name < $1.key.name }) {
                print(" ", reason, count)
            }
        }
        let delivered = collector.events(of: .awesomeTracking)
        for event in delivered.prefix(1) {
            print(event.name, event.json["user_id"]?.string ?? "", event.json["props"]?.string ?? "")
        }
        collector.close()
    }
}
