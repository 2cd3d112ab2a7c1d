/// What became of each event of a batch that an SDK was handed, as the answer of a request says it.
struct SDKAnswer: Equatable {
    /// What became of one event.
    enum Outcome: Equatable {
        /// The SDK has it.
        case taken
        /// The SDK was not ready, or was not asked because of an event before.
        case retry
        /// The event goes to quarantine.
        case refused(String)
    }

    /// The outcomes, in the order of the batch.
    var outcomes: [Outcome] = []

    /// Whether an event waits, so that those behind it have to wait as well.
    var isHeld: Bool { outcomes.last == .retry }

    /// The answer as a receiver would give it: a line for each event, `taken`, `retry` or `refused` and the reason.
    var response: HTTPResponse {
        let lines = outcomes.map { outcome in
            switch outcome {
            case .taken: "taken"
            case .retry: "retry"
            case .refused(let reason): "refused " + AnswerText.reason(reason)
            }
        }
        return HTTPResponse(status: 200, body: Array(lines.joined(separator: "\n").utf8))
    }

    /// Says what an answer means for a batch of so many events; one that is no answer of these means another try.
    static func verdict(on response: HTTPResponse, events count: Int) -> BatchVerdict {
        let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
        guard response.status == 200, lines.count == count else { return .retry(after: nil) }
        var verdicts: [Int: BatchVerdict.EventVerdict] = [:]
        for (index, line) in lines.enumerated() where line != "taken" {
            verdicts[index] = line.hasPrefix("refused ") ? .refused(String(line.dropFirst(8))) : .retry
        }
        return verdicts.isEmpty ? .delivered : .partial(verdicts)
    }
}
