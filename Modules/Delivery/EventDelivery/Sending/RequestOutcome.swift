import CoreTracker
import EventTracking

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The result of sending a request.
enum Attempt: Sendable {
    case responded(HTTPResponse)
    /// The request has no response. The duration is its deadline.
    case failed(TransportError, within: Duration)

    /// The status of the response, or `nil` if there is none.
    var status: Int? { if case .responded(let response) = self { response.status } else { nil } }

    /// The reason code for reports and logs: a status or the transport's error, but never a payload.
    var cause: String {
        switch self {
        case .responded(let response): "status \(response.status)"
        case .failed(.timedOut, let deadline): "no response within \(deadline.wholeSeconds) s"
        case .failed(let error, _): error.description
        }
    }

    /// The start of the response, as stored in quarantine.
    var responseText: String {
        if case .responded(let response) = self { ResponseText.snippet(response.body) } else { "" }
    }

    /// The wait requested by the response, if any.
    var retryAfter: Duration? {
        if case .responded(let response) = self { RetryAfter.wait(in: response) } else { nil }
    }

    /// The same result with only the part of the response stored in quarantine.
    var withoutDetails: Attempt {
        guard case .responded(var response) = self else { return self }
        response.body = Array(response.body.prefix(ResponseText.maximumSnippetBytes))
        return .responded(response)
    }

    /// Returns the failure of a clock that differs from the receiver's by more than an hour.
    ///
    /// - Returns: The failure, or `nil` if the clocks agree or the receiver names no time.
    func clockFailure(at time: Timestamp) -> LaneFailure? {
        guard let ahead = secondsAhead(at: time), ahead.magnitude > Attempt.toleratedSeconds,
            case .responded(let response) = self
        else { return nil }
        return LaneFailure(time: time, kind: .clock, status: response.status, code: "\(ahead)")
    }

    /// Returns the receiver's time if the device's clock agrees with it.
    func agreedTime(at time: Timestamp) -> Timestamp? {
        guard let ahead = secondsAhead(at: time), ahead.magnitude <= Attempt.toleratedSeconds else { return nil }
        return receiverTime
    }

    private static let toleratedSeconds: UInt64 = 3600

    /// Returns the number of seconds by which the device's clock is ahead of the receiver's.
    private func secondsAhead(at time: Timestamp) -> Int64? {
        receiverTime.map { receiver in
            let (ahead, overflow) = time.seconds.subtractingReportingOverflow(receiver.seconds)
            return overflow ? .max : ahead
        }
    }

    /// The time named by the receiver, if any.
    var receiverTime: Timestamp? {
        guard case .responded(let response) = self else { return nil }
        return response.headers["date"].flatMap { Timestamp(httpDate: $0) }
    }
}

/// A runner's report about an attempt.
struct RequestOutcome: Sendable {
    /// The result for the batch.
    let result: BatchResult
    /// The result of the request.
    let attempt: Attempt
    /// The size of the body before compression, in bytes.
    let bodyBytes: Int
    /// The receiver's host and port.
    var receiver = ""
    /// The time from the request's start to its response or failure.
    var duration: Duration = .zero
    /// Whether the lane has had no fault since the request's batch was leased.
    ///
    /// A response to an earlier request counts neither as a failure nor as a success, and ends no wait.
    var isCurrent = true

    /// The extent of the receiver's body in the response, or `nil` without a response.
    var extent: HTTPResponse.Extent? {
        if case .responded(let response) = attempt { response.extent } else { nil }
    }

    /// Returns the note for an observer.
    func note(_ lane: LaneID, events: Int) -> EngineNote {
        .requested(lane, events: events, receiver: receiver, result: attempt.cause, duration: duration)
    }

    /// Returns the failure for the lane's row.
    ///
    /// - Parameters:
    ///   - kind: The engine's reaction.
    ///   - code: The receiver's code. Without a response, the reason code replaces it.
    ///   - time: The time of the failure.
    func failure(_ kind: LaneFailure.Kind, code: String = "", at time: Timestamp) -> LaneFailure {
        LaneFailure(
            time: time,
            kind: kind,
            status: attempt.status,
            code: attempt.status == nil ? attempt.cause : code,
            response: attempt.responseText,
            receiver: receiver
        )
    }
}

extension BatchResult {
    /// Whether the receiver has taken at least a part of the batch.
    var isAcknowledgement: Bool {
        switch self {
        case .delivered, .partial: true
        case .retry, .paused, .refused, .suspect, .tooLarge: false
        }
    }
}

extension URL {
    /// The host and port of the URL, such as `collector.example:443`.
    ///
    /// Empty without a host.
    var hostAndPort: String {
        guard let host = host(), !host.isEmpty else { return "" }
        return "\(host.contains(":") ? "[\(host)]" : host):\(port ?? (scheme == "http" ? 80 : 443))"
    }
}
