import EventDelivery

extension DestinationContract {
    private static let strangeBodies = [
        "", "[]", "{}", "null", "nonsense", "\u{0}", "{\"errors\":[{\"index\":-1},{\"index\":7},{\"index\":1e99}]}",
        "{\"errors\":{\"index\":1},\"message\":7}", "Code: 99999999999999999999.", "#99 #-1 #0",
        String(repeating: "[", count: 2_000),
    ]

    func statusTable() -> [Finding] {
        guard !statuses.isEmpty else { return [Finding(.statuses, "the vendor's table is empty")] }
        guard let batch = try? destination.batch(of: samples(2)) else { return [] }
        let findings = statuses.sorted { $0.key < $1.key }.flatMap { status, expected in
            let result = destination.result(for: HTTPResponse(status: status), of: batch)
            return Self.finding(.statuses, unless: result == expected, "\(status) means \(result), not \(expected)")
        }
        let page = HTTPResponse(
            status: acknowledgement.status,
            headers: ["Content-Type": "text/html"],
            body: Array("<html>Log in</html>".utf8)
        )
        let isTaken = destination.result(for: page, of: batch) == .delivered
        return findings
            + Self.finding(.statuses, unless: !isTaken, "a portal's page is taken for an acknowledgement")
    }

    func partialSuccess() -> [Finding] {
        guard let batch = try? destination.batch(of: samples(3)) else { return [] }
        return responses.flatMap { expected in
            let result = destination.result(for: expected.response, of: batch)
            return Self.finding(
                .partialSuccess,
                unless: result == expected.result,
                "the response \(ResponseText.snippet(expected.response.body)) means \(result), not \(expected.result)"
            )
        } + malformedResponses(to: batch)
    }

    /// Checks that results of malformed responses refer only to events of the batch.
    private func malformedResponses(to batch: OutgoingBatch) -> [Finding] {
        let known = Set(statuses.keys).union([200, 204, 207, 400, 413, 429, 500, acknowledgement.status])
        return known.sorted().flatMap { status in
            Self.strangeBodies.flatMap { body -> [Finding] in
                let response = HTTPResponse(status: status, body: Array(body.utf8))
                guard case .partial(let results) = destination.result(for: response, of: batch) else { return [] }
                let strangers = results.keys.filter { !batch.events.indices.contains($0) }.sorted()
                return Self.finding(
                    .partialSuccess,
                    unless: strangers.isEmpty && !results.isEmpty,
                    "\(status) \(body.prefix(40)) speaks of events \(strangers) of a batch of 3"
                )
            }
        }
    }
}
