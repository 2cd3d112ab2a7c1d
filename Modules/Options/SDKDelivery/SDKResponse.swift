import EventDelivery

/// The results of a batch passed to an SDK, encoded as an HTTP response.
struct SDKResponse: Equatable {
    /// The result of one event.
    enum Outcome: Equatable {
        /// The SDK accepted the event.
        case taken
        /// The SDK was not ready, or was not called because of an earlier event.
        case retry
        /// The event goes to quarantine.
        case refused(String)
    }

    /// The results, in the order of the batch.
    var outcomes: [Outcome] = []

    /// Whether the last event must be retried.
    ///
    /// Later events then wait as well.
    var isHeld: Bool { outcomes.last == .retry }

    /// The response, with one line for each event: `taken`, `retry`, or `refused` and the reason.
    var response: HTTPResponse {
        let lines = outcomes.map { outcome in
            switch outcome {
            case .taken: "taken"
            case .retry: "retry"
            case .refused(let reason): "refused " + ResponseText.reason(reason)
            }
        }
        return HTTPResponse(status: 200, body: Array(lines.joined(separator: "\n").utf8))
    }

    /// Reads the response for a batch.
    ///
    /// A response in another form is retried.
    static func result(for response: HTTPResponse, events count: Int) -> BatchResult {
        let lines = String(decoding: response.body, as: UTF8.self).split(separator: "\n")
        guard response.status == 200, lines.count == count else { return .retry(after: nil) }
        var results: [Int: BatchResult.EventResult] = [:]
        for (index, line) in lines.enumerated() where line != "taken" {
            // The reason may begin with a combining character.
            let isRefused = line.utf8.starts(with: "refused ".utf8)
            results[index] = isRefused ? .refused(String(decoding: line.utf8.dropFirst(8), as: UTF8.self)) : .retry
        }
        return results.isEmpty ? .delivered : .partial(results)
    }
}
