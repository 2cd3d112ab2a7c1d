import EventDelivery
import Foundation
import Locks
import LoopbackCollector

/// A fuzzer that sends requests to a receiver with mutated responses and checks the transport's contract.
///
/// Each request must end within its deadline plus a tolerance. A response must have a status of three digits and a body
/// within the limit. After each group of cases, a request to a regular receiver must still succeed.
struct ResponseFuzzer {
    private struct Broken: Error, CustomStringConvertible { let description: String }

    private static let group: UInt64 = 256
    private static let parallel: UInt64 = 8
    private static let deadline = Duration.seconds(5)
    private static let shortDeadline = Duration.milliseconds(100)
    private static let slack = Duration.seconds(2)

    private let seed: UInt64
    private let transport = PlatformTransport()
    private let hostile: LoopbackCollector
    private let handshakes: LoopbackCollector
    private let good: LoopbackCollector

    /// Starts the receivers.
    init(seed: UInt64) throws {
        self.seed = seed
        hostile = try LoopbackCollector(
            retention: .idsOnly,
            script: CollectorScript { request in
                ResponseFuzzer.action(for: UInt64(request.path.dropFirst()) ?? 0, seed: seed)
            }
        )
        let count = Mutex<UInt64>(0)
        let opening = CollectorScript.accept.opening {
            let number = count.withLock { count in
                count += 1
                return count
            }
            var mutator = ResponseMutator(seed: seed, number: number)
            return .bytes(mutator.handshake() + mutator.handshake())
        }
        handshakes = try LoopbackCollector(retention: .idsOnly, script: opening)
        good = try LoopbackCollector(retention: .idsOnly)
    }

    /// Runs cases until a time or up to a number, and prints a summary.
    func run(_ options: FuzzOptions, until end: ContinuousClock.Instant) async throws {
        let (start, last) = (ContinuousClock.now, options.cases.map { options.first + $0 } ?? .max)
        var (number, outcomes) = (options.first, [String: Int]())
        let isTerminal = isatty(STDOUT_FILENO) == 1
        while number < last, options.cases != nil || .now < end {
            let group = number..<min(last, number + ResponseFuzzer.group)
            // If the process crashes, the last number printed is at or before the case. A pipe gets every 100th number.
            if isTerminal || (number - options.first).isMultiple(of: 100 * ResponseFuzzer.group) {
                print("cases from \(number)", terminator: isTerminal ? "\r" : "\n")
                fflush(nil)
            }
            for (outcome, count) in try await results(of: group) { outcomes[outcome, default: 0] += count }
            let result = await result(of: "\(good.url)", deadline: ResponseFuzzer.deadline)
            guard try result.get().status == 200 else {
                throw Broken(description: "a regular receiver's request ended with \(result)")
            }
            number = group.upperBound
        }
        let seconds = Int((.now - start) / .seconds(1))
        print("\(number - options.first) responses in \(seconds) s; the process is still running")
        for (outcome, count) in outcomes.sorted(by: { $0.value > $1.value }) { print("  \(outcome): \(count)") }
    }

    /// Runs cases, several at once.
    ///
    /// - Returns: The number of cases for each outcome.
    private func results(of group: Range<UInt64>) async throws -> [String: Int] {
        try await withThrowingTaskGroup(of: String.self) { tasks in
            var outcomes: [String: Int] = [:]
            for number in group {
                if number >= group.lowerBound + ResponseFuzzer.parallel, let outcome = try await tasks.next() {
                    outcomes[outcome, default: 0] += 1
                }
                tasks.addTask { try await outcome(of: number) }
            }
            return try await tasks.reduce(into: outcomes) { $0[$1, default: 0] += 1 }
        }
    }

    /// Returns the outcome of a case.
    ///
    /// Throws if the transport has broken its contract.
    private func outcome(of number: UInt64) async throws -> String {
        let isHandshake = number % 16 == 0
        let url = isHandshake ? "https://127.0.0.1:\(handshakes.port)" : "\(hostile.url)/\(number)"
        let deadline = ResponseFuzzer.staysOpen(number) ? ResponseFuzzer.shortDeadline : ResponseFuzzer.deadline
        let start = ContinuousClock.now
        let result = await result(of: url, deadline: deadline)
        guard .now - start < deadline + ResponseFuzzer.slack else {
            throw Broken(description: "case \(number): \(result) after \(ContinuousClock.now - start)")
        }
        switch result {
        case .failure(.connectionFailed): return "connection failed"
        case .failure(let error): return "\(error)"
        case .success(let response):
            guard (200...999).contains(response.status), response.body.count <= 4 << 20 else {
                throw Broken(description: "case \(number): \(response.status), \(response.body.count) bytes")
            }
            return "response \(response.status / 100)xx"
        }
    }

    private func result(of url: String, deadline: Duration) async -> Result<HTTPResponse, TransportError> {
        guard let url = URL(string: url) else { return .failure(.invalidResponse) }
        do throws(TransportError) {
            return .success(try await transport.send(HTTPRequest(url: url, body: [1]), timeout: deadline))
        } catch {
            return .failure(error)
        }
    }

    /// Whether the connection of a case stays open after its response, so the response may never be complete.
    private static func staysOpen(_ number: UInt64) -> Bool { number % 32 == 1 }

    /// Returns the bytes of a case in one or two parts, followed by the end of the connection, if any.
    private static func action(for number: UInt64, seed: UInt64) -> CollectorAction {
        var mutator = ResponseMutator(seed: seed, number: number)
        let bytes = mutator.response()
        let cut = mutator.below(bytes.count + 1)
        let closing: [CollectorAction] = [.close, .close, .reset, .delay(.milliseconds(5), then: .close)]
        let end = staysOpen(number) ? nil : closing[mutator.below(closing.count)]
        guard mutator.chance(of: 2) else { return .raw(bytes, then: end) }
        return .raw(Array(bytes[..<cut]), then: .raw(Array(bytes[cut...]), then: end))
    }
}
