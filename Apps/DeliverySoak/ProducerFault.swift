import EventDelivery
import EventDeliveryTesting
import Foundation

/// The way in which a producer ends.
enum ProducerFault: Sendable {
    /// The process is killed after this many receipts.
    case kill(afterReceipts: Int)
    /// The process dies during the n-th write of its outbox.
    case killAtCall(Int)
    /// The process is terminated after this many receipts.
    case terminate(afterReceipts: Int)
    /// The process tracks this many events, flushes and closes.
    case none(events: Int)

    private static let receiptsPerFreeze = 25
    private static let freeze: Duration = .milliseconds(150)

    /// The receipts of a producer, and whether it was killed.
    struct Outcome: Sendable {
        var receipts: Set<String> = []
        var wasKilled = false
        /// The number of uses of each feature.
        var uses: [String: Int] = [:]
        /// The events erased after they had been stored.
        var erased: Set<String> = []
        /// The number of receipts that report a drop by the middleware.
        var drops = 0
        /// The requests, erasures and ends of processes that must not have happened.
        var faults: [String] = []
    }

    static func random(using random: inout SeededGenerator) -> ProducerFault {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5: .kill(afterReceipts: Int.random(in: 1...200, using: &random))
        case 5..<8: .killAtCall(Int.random(in: 1...300, using: &random))
        case 8: .terminate(afterReceipts: Int.random(in: 1...100, using: &random))
        default: .none(events: Int.random(in: 1...200, using: &random))
        }
    }

    /// Runs a producer until it ends.
    ///
    /// - Parameters:
    ///   - queue: The directory of the queue.
    ///   - endpoint: The address of the receiver.
    ///   - suspends: Whether the producer sometimes suspends its storage, so another one can use the directory.
    ///   - freezes: Whether the process is stopped for a moment after some receipts, and then continues.
    /// - Returns: The producer's receipts.
    /// - Throws: The error if the process could not be run.
    func run(queue: URL, endpoint: Endpoint, suspends: Bool, freezes: Bool) async throws -> Outcome {
        let producer = try ChildProcess(
            product: "DeliveryProducer",
            arguments: [
                "--queue", queue.path, "--endpoint", endpoint.url.absoluteString, "--lanes", "\(SoakRun.lanes)",
            ]
                + ["--unordered", "--switch-every", "10", "--resume", "--features"]
                + (suspends ? ["--suspend-every", "60"] : []) + arguments
        )
        var outcome = Outcome()
        for await line in producer.lines {
            let text = String(line.dropFirst(2))
            switch line.prefix(2) {
            case "U ": outcome.uses[text, default: 0] += 1
            case "E ": outcome.erased.insert(text)
            case "L " where text == Scorecard.ruleDrop.name: outcome.drops += 1
            case "X ": outcome.faults.append(text)
            default: break
            }
            guard line.hasPrefix("R ") else { continue }
            outcome.receipts.insert(text)
            if freezes, outcome.receipts.count % ProducerFault.receiptsPerFreeze == 0 {
                producer.send(signal: SIGSTOP)
                try await Task.sleep(for: ProducerFault.freeze)
                producer.send(signal: SIGCONT)
            }
            if outcome.receipts.count == limit { producer.send(signal: signal) }
        }
        switch await producer.ended() {
        case .signal(SIGKILL), .signal(SIGTERM): outcome.wasKilled = true
        case .code(0): break
        case let end: outcome.faults.append("a process ended with \(end)")
        }
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
