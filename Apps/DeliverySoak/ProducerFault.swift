import EventDelivery
import EventDeliveryTesting
import Foundation

/// How one producer comes to its end.
enum ProducerFault: Sendable {
    /// Killed when it has printed so many receipts.
    case kill(afterReceipts: Int)
    /// Dead inside the n-th write of its outbox.
    case killAtCall(Int)
    /// Told to end when it has printed so many receipts.
    case terminate(afterReceipts: Int)
    /// Not at all: it tracks so many events, flushes and closes.
    case none(events: Int)

    /// What a producer has promised, and whether it was killed.
    struct Outcome: Sendable {
        var receipts: Set<String> = []
        var wasKilled = false
    }

    static func random(using random: inout SeededGenerator) -> ProducerFault {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: .kill(afterReceipts: Int.random(in: 1...200, using: &random))
        case 5..<8: .killAtCall(Int.random(in: 1...300, using: &random))
        case 8: .terminate(afterReceipts: Int.random(in: 1...100, using: &random))
        default: .none(events: Int.random(in: 1...200, using: &random))
        }
    }

    /// Runs a producer to its end.
    ///
    /// - Parameter suspends: Whether it gives its files back now and then, so that another one may take them over.
    func run(queue: URL, endpoint: Endpoint, suspends: Bool) async throws -> Outcome {
        let producer = try ChildProcess(
            product: "DeliveryProducer",
            arguments: [
                "--queue", queue.path, "--endpoint", endpoint.url.absoluteString, "--lanes", "\(SoakRun.lanes)",
            ]
                + ["--unordered", "--switch-every", "10", "--resume"]
                + (suspends ? ["--suspend-every", "60"] : []) + arguments
        )
        var outcome = Outcome()
        for await line in producer.lines where line.hasPrefix("R ") {
            outcome.receipts.insert(String(line.dropFirst(2)))
            if outcome.receipts.count == limit { producer.send(signal: signal) }
        }
        if case .signal = await producer.ended() { outcome.wasKilled = true }
        return outcome
    }

    private var arguments: [String] {
        switch self {
        case .kill, .terminate: ["--count", "1000000", "--rate", "1000"]
        case .killAtCall(let call):
            ["--count", "2000", "--rate", "1000", "--deadline", "1", "--kill-at-call", "\(call)"]
        case .none(let events): ["--count", "\(events)", "--deadline", "1"]
        }
    }

    private var limit: Int? {
        switch self {
        case .kill(let receipts), .terminate(let receipts): receipts
        case .killAtCall, .none: nil
        }
    }

    private var signal: Int32 {
        if case .terminate = self { SIGTERM } else { SIGKILL }
    }
}
