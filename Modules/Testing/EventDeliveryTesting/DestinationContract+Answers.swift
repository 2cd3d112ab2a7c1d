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
            let verdict = destination.verdict(on: HTTPResponse(status: status), for: batch)
            return Self.finding(.statuses, unless: verdict == expected, "\(status) means \(verdict), not \(expected)")
        }
        let page = HTTPResponse(
            status: acknowledgement.status,
            headers: ["Content-Type": "text/html"],
            body: Array("<html>Log in</html>".utf8)
        )
        let isTaken = destination.verdict(on: page, for: batch) == .delivered
        return findings
            + Self.finding(.statuses, unless: !isTaken, "a portal's page is taken for an acknowledgement")
    }

    func partialSuccess() -> [Finding] {
        guard let batch = try? destination.batch(of: samples(3)) else { return [] }
        return answers.flatMap { answer in
            let verdict = destination.verdict(on: answer.response, for: batch)
            return Self.finding(
                .partialSuccess,
                unless: verdict == answer.verdict,
                "the answer \(AnswerText.snippet(answer.response.body)) means \(verdict), not \(answer.verdict)"
            )
        } + strangeAnswers(to: batch)
    }

    /// Checks that results of malformed responses refer only to events of the batch.
    private func strangeAnswers(to batch: OutgoingBatch) -> [Finding] {
        let known = Set(statuses.keys).union([200, 204, 207, 400, 413, 429, 500, acknowledgement.status])
        return known.sorted().flatMap { status in
            Self.strangeBodies.flatMap { body -> [Finding] in
                let response = HTTPResponse(status: status, body: Array(body.utf8))
                guard case .partial(let verdicts) = destination.verdict(on: response, for: batch) else { return [] }
                let strangers = verdicts.keys.filter { !batch.events.indices.contains($0) }.sorted()
                return Self.finding(
                    .partialSuccess,
                    unless: strangers.isEmpty && !verdicts.isEmpty,
                    "\(status) \(body.prefix(40)) speaks of events \(strangers) of a batch of 3"
                )
            }
        }
    }
}
