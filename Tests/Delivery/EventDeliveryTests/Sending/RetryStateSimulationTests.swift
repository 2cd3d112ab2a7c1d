import EventDeliveryTesting
import Testing

@testable import EventDelivery

/// A simulation of clients that consist only of a retry state, in steps of one second.
@Suite struct RetryStateSimulationTests {
    @Test func `a thousand clients do not come back together after ten minutes of 5xx`() {
        var random = SeededGenerator(seed: 39)
        let outage = 600..<1200
        var starts = [Int](repeating: 0, count: 7200)
        var retries = 0
        var requests = 0
        for _ in 0..<1_000 {
            var client = Client(period: 10, phase: Double.random(in: 0..<10, using: &random))
            for request in client.run(seconds: 7200, using: &random, fails: { outage.contains($0) }) {
                requests += 1
                if request.isRetry { retries += 1 }
                if request.isFirstAfterFailures { starts[request.second] += 1 }
            }
        }

        let tens = stride(from: 1200, to: 1500, by: 10).map { starts[$0..<($0 + 10)].reduce(0, +) }
        let mean = Double(tens.reduce(0, +)) / Double(tens.count)
        #expect(tens.reduce(0, +) > 900)
        #expect(Double(tens.max() ?? 0) / mean < 2.5)
        #expect(Double(retries) <= Double(requests) * 0.1)
    }

    @Test(arguments: 1...50)
    func `a receiver that is down for good gets twenty requests in the first hour`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var client = Client(period: 1, phase: 0)

        let requests = client.run(seconds: 3600, using: &random) { _ in true }

        #expect(requests.count <= 20)
        #expect(requests.count >= 12)
    }

    @Test(arguments: 1...50)
    func `an address that does not exist any more gets twenty requests in the first hour, then twelve to fourteen`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var retryState = RetryState()
        var (now, requests) = (MonotonicInstant(nanoseconds: 0), [0, 0])
        while now.nanoseconds < 7_200_000_000_000 {
            requests[Int(now.nanoseconds / 3_600_000_000_000)] += 1
            if requests[0] <= 2 {
                retryState.failed(at: now, retryAfter: nil, using: &random)
            } else {
                retryState.paused(.endpoint, at: now, wall: Timestamp(microseconds: 0), using: &random)
            }
            now = retryState.notBefore
        }

        #expect(requests[0] <= 20)
        #expect((12...14).contains(requests[1]))
    }

    @Test func `a receiver that fails every other request gets at most one retry for each delivery`() {
        var random = SeededGenerator(seed: 40)
        var client = Client(period: 1, phase: 0)
        var isFailing = false

        let requests = client.run(seconds: 6 * 3600, using: &random) { _ in
            isFailing.toggle()
            return isFailing
        }

        let delivered = requests.count { !$0.failed }
        #expect(delivered >= 6 * 1_200)
        #expect(requests.count { $0.isRetry } <= delivered)
        #expect(client.retryState.failures <= 1)
    }

    @Test func `a receiver that fails one request in a hundred costs its lane little`() {
        var random = SeededGenerator(seed: 41)
        var client = Client(period: 1, phase: 0)
        var dice = SeededGenerator(seed: 42)

        let requests = client.run(seconds: 3600, using: &random) { _ in Int.random(in: 0..<100, using: &dice) == 0 }

        #expect(requests.count { !$0.failed } > 3_400)
        #expect(requests.count { $0.isRetry } < 72)
    }
}

/// A client that sends a batch at an interval, and repeats a failed one when its wait ends.
private struct Client {
    struct Request {
        let second: Int
        let failed: Bool
        let isRetry: Bool
        let isFirstAfterFailures: Bool
    }

    private(set) var retryState = RetryState()
    private let period: Double
    private var due: Double
    private var hasFailed = false

    init(period: Double, phase: Double) {
        self.period = period
        due = phase
    }

    mutating func run(
        seconds: Int,
        using random: inout SeededGenerator,
        fails: (Int) -> Bool
    ) -> [Request] {
        var requests: [Request] = []
        while due < Double(seconds) {
            let second = Int(due)
            let now = MonotonicInstant(nanoseconds: Int64(due * 1e9))
            let failed = fails(second)
            let isFirst = hasFailed && !failed
            requests.append(Request(second: second, failed: failed, isRetry: hasFailed, isFirstAfterFailures: isFirst))
            hasFailed = failed
            if failed {
                retryState.failed(at: now, retryAfter: nil, using: &random)
                due = Double(retryState.notBefore.nanoseconds) / 1e9
            } else {
                retryState.succeeded()
                due += period
            }
        }
        return requests
    }
}
