import CoreTrackerTesting
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReceiverTableTests {
    private static let right = [
        "| 200 | | `ok` | delivered | 2026-11 |",
        "| 200 | | `two are lost` | dropped 2 | 2026-11 |",
        "| 200 | | `one is refused` | quarantined 1 | 2026-11 |",
        "| 200 | | `one is refused, three are free` | quarantined 1, sent again 3 | 2026-11 |",
        "| 200 | | `three are late` | retried 3 | 2026-11 |",
        "| 200 | `X-A: b` | `all\\rare\\n\\|\\0late` | retried | 2026-11 |",
        "| 503 | `Retry-After: 7` | | retried after 7 s | 2026-11 |",
        "| 503 | | | retried | 2026-11 |",
        "| none | | | retried | 2026-11 |",
        "| 200 | | `o` cut | retried | 2026-11 |",
        "| 200 | | `ok` after 3 KiB | delivered | 2026-11 |",
        "| 400 | | | bisected | 2026-11 |",
        "| 200 | | `five times` | bisected after 5 attempts | 2026-11 |",
        "| 413 | | | split | 2026-11 |",
        "| 401 | | | paused (credentials) | 2026-11 |",
    ]

    @Test func `the effects of an engine agree with a right table`() async throws {
        try await table(ReceiverTableTests.right).check(of: .awesomeTracking, makeDestination: Words.init)
    }

    @Test func `a wrong effect in any row is reported with its line`() async throws {
        let effects = ["delivered", "retried", "bisected", "split", "dropped 1", "quarantined 2", "paused (endpoint)"]
        let wrong = ReceiverTableTests.right.enumerated().map { number, row in
            let cells = row.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
            let others = effects.filter { $0 != cells[4].trimmingPrefix(" ").dropLast() }
            return "|\(cells[1])|\(cells[2])|\(cells[3])| \(others[number % others.count]) |\(cells[5])|"
                .replacing("\u{1}", with: "\\|")
        }

        let violation = await #expect(throws: ContractViolation.self) {
            try await table(wrong).check(of: .awesomeTracking, makeDestination: Words.init)
        }

        let lines = violation?.description.split(separator: "\n").compactMap {
            $0.split(separator: ":").dropFirst().first
        }
        #expect(lines == wrong.indices.map { "\($0 + 5)"[...] })
    }

    @Test(arguments: [
        "| 200 | | | delivered |", "| 99 | | | delivered | 2026 |", "| 200 | `A` | | delivered | 2026 |",
        "| 200 | | | delivered | RFC 9110 |", "| two | | | delivered | 2026 |",
    ])
    func `a row that is not valid is refused`(row: String) {
        #expect(throws: ContractViolation.self) { try table([row]) }
    }

    @Test func `a page without a table under the heading is refused`() {
        #expect(throws: ContractViolation.self) { try table([]) }
        #expect(throws: ContractViolation.self) {
            try ReceiverTable(under: "## Other", of: "page", text: "## Table\n\n| a |\n|---|\n| b |\n\n## Other\n")
        }
    }

    private func table(_ rows: [String]) throws -> ReceiverTable {
        let head = "## Table\n\n| status | header fields | body | effect | source |\n|---|---|---|---|---|\n"
        return try ReceiverTable(under: "## Table", of: "page", text: head + rows.joined(separator: "\n"))
    }
}

/// A destination whose receiver states the result in words.
private struct Words: DestinationWrapper {
    let base: any Destination

    init(_ endpoint: Endpoint) {
        base = LineDestination(endpoint: endpoint.url)
    }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        switch String(decoding: response.body, as: UTF8.self) {
        case "two are lost": .partial([0: .dropped("old"), 1: .dropped("old")])
        case "one is refused": .partial([0: .refused("bad")])
        case "one is refused, three are free": .partial([0: .refused("bad"), 1: .retry, 2: .retry, 3: .retry])
        case "three are late": .partial([1: .retry, 2: .retry, 3: .retry])
        case "all\rare\n|\0late": response.headers["x-a"] == "b" ? .retry(after: nil) : .delivered
        case "five times": batch.attempt < 5 ? .retry(after: nil) : .refused("bad")
        default: ResponsePolicy.standard.result(for: response)
        }
    }
}
