/// What came of sending a request.
enum Attempt: Sendable {
    case answered(HTTPResponse)
    case failed(TransportError)

    /// The cause for a log: a status or the transport's error, never a payload.
    var cause: String {
        switch self {
        case .answered(let response): "status \(response.status)"
        case .failed(let error): "\(error)"
        }
    }

    /// The start of the answer, as quarantine keeps it.
    var answer: String {
        guard case .answered(let response) = self else { return "" }
        return AnswerText.snippet(response.body)
    }

    /// The failure, as the lane's row keeps it.
    func failure(_ kind: String, code: String = "", at time: Timestamp) -> StoredFailure {
        switch self {
        case .answered(let response):
            StoredFailure(time: time, kind: kind, status: response.status, code: code, answer: answer)
        case .failed(let error):
            StoredFailure(time: time, kind: kind, code: "\(error)")
        }
    }

    /// The receiver's own time, where it names one.
    var receiverTime: Timestamp? {
        guard case .answered(let response) = self else { return nil }
        return response.headers["date"].flatMap { Timestamp(httpDate: $0) }
    }
}

/// What a lane's runner reports about an attempt.
struct Settlement: Sendable {
    /// What the answer means.
    let verdict: BatchVerdict
    /// What came of the request.
    let attempt: Attempt
    /// The bytes of the body before compression.
    let bodyBytes: Int
}
