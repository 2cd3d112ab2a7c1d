public import EventDelivery

/// The meaning of ClickHouse's responses, by exception code, or by status if the code is unknown.
///
/// The code takes precedence, because since release 18.16 the status is 500 for faults of a row and of the server.
/// Current releases send the code in a header, and all releases in the body. The body may name a row, as in
/// `(at row 2)`. This is only a hint for people, because older releases count rows differently. Bisecting finds the
/// row with every release.
public struct ClickHouseResponses: Sendable {
    /// The actions by exception code.
    public var codes: [Int: ResponsePolicy.Action]
    /// The actions by status.
    public var statuses: ResponsePolicy

    /// The table for releases from 18.16 to the current one.
    public static let standard = ClickHouseResponses(
        codes: ClickHouseResponses.transient
            .merging(ClickHouseResponses.faultsOfARow) { first, _ in first }
            .merging(ClickHouseResponses.faultsOfTheSetup) { first, _ in first },
        statuses: ClickHouseResponses.standardStatuses
    )

    /// Returns the result of a batch for a response.
    ///
    /// A successful response has no body. If it has an HTML body, it was sent by a captive portal or a proxy. An unknown
    /// code can be the fault of a row or of the server, so it is a refusal without a reason.
    ///
    /// - Parameter response: The response.
    /// - Returns: The result of the batch.
    public func result(for response: HTTPResponse) -> BatchResult {
        guard let code = ClickHouseResponses.exceptionCode(of: response) else {
            let isPage = response.status / 100 == 2 && response.body.first == UInt8(ascii: "<")
            return isPage ? .paused(.intercepted) : statuses.result(for: response)
        }
        // The rows of the batch are in too many partitions. Each half is in fewer.
        if code == 252, response.body.contains("Too many partitions".utf8) { return .refused("code \(code)") }
        switch codes[code] {
        case .retry: return .retry(after: RetryAfter.wait(in: response))
        case .paused(let reason): return .paused(reason)
        case .delivered: return .delivered
        case .refused: return .refused("code \(code)")
        case .suspect: return .suspect("code \(code)")
        case .tooLarge: return .tooLarge
        case nil: break
        }
        guard response.status == 500 || response.status / 100 == 2 else { return statuses.result(for: response) }
        return .suspect("code \(code)")
    }

    /// Returns the code of an exception, from the header or from the body.
    ///
    /// Since the server starts some responses before it has the result, a body of status 200 can also contain an
    /// exception: as a line `Code: 60. DB::Exception: …`, after a line `__exception__`, or as a JSON member
    /// `exception`.
    ///
    /// - Parameter response: The response.
    /// - Returns: The exception's code, 0 for an exception without a code, or `nil` without an exception.
    static func exceptionCode(of response: HTTPResponse) -> Int? {
        if let text = response.headers["x-clickhouse-exception-code"], let code = Int(text), code != 0 { return code }
        let isException = exceptionMarks.contains { response.body.contains($0.utf8) }
        guard isException || response.body.starts(with: "Code: ".utf8) else { return nil }
        guard let start = response.body.firstRange(of: "Code: ".utf8)?.upperBound else { return 0 }
        let digits = response.body[start...].prefix(9).prefix { $0 &- 0x30 < 10 }
        let next = response.body[digits.endIndex...].first
        guard next == UInt8(ascii: ".") || next == UInt8(ascii: ",") else { return 0 }
        return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }

    private static let exceptionMarks = ["\nCode: ", "DB::Exception", "__exception__", "\"exception\""]
}

extension ClickHouseResponses {
    /// Temporary errors: timeouts, too many queries, parts or bytes, missing replicas, an unknown outcome, a body
    /// damaged in transit.
    ///
    /// The names of these codes are in ClickHouse's `ErrorCodes.cpp`. A server without free resources returns:
    /// - 75, `CANNOT_WRITE_TO_FILE_DESCRIPTOR`: the disk is full, or has refused a write.
    /// - 201, `QUOTA_EXCEEDED`: the user's quota is used up until its interval ends.
    /// - 203, `NO_FREE_CONNECTION`: all connections to another server are in use.
    /// - 243, `NOT_ENOUGH_SPACE`: the disk has no space for the new part.
    /// - 439, `CANNOT_SCHEDULE_TASK`: no thread is free.
    /// - 700, `USER_SESSION_LIMIT_EXCEEDED`: the user has too many sessions at once.
    ///
    /// A server that stops, or whose administrator ends the query, returns:
    /// - 236, `ABORTED`: the operation was cancelled.
    /// - 394, `QUERY_WAS_CANCELLED`: the query was killed.
    ///
    /// A cluster also returns:
    /// - 32, `ATTEMPT_TO_READ_AFTER_EOF`: a replica was killed while the entry node waited for its response.
    /// - 198, `DNS_ERROR`: the name of a replica cannot be resolved.
    /// - 225, `NO_ZOOKEEPER`: the node has lost its session with ZooKeeper.
    /// - 279, `ALL_CONNECTION_TRIES_FAILED`: the `Distributed` table reaches no replica of a shard.
    /// - 286, `UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE`: the quorum of the previous insert is incomplete.
    /// - 745, `SERVER_OVERLOADED`: the server refuses queries at random while its processor is overloaded.
    private static let transient: [Int: ResponsePolicy.Action] = [
        32: .retry, 75: .retry, 159: .retry, 198: .retry, 201: .retry, 202: .retry, 203: .retry, 209: .retry,
        210: .retry, 225: .retry, 236: .retry, 241: .retry, 242: .retry, 243: .retry, 252: .retry, 279: .retry,
        285: .retry, 286: .retry, 319: .retry, 354: .retry, 394: .retry, 439: .retry, 700: .retry, 745: .retry,
        999: .retry,
    ]

    /// Errors of a row: text that cannot be parsed, a value of the wrong type or out of range, incorrect data, a
    /// violated constraint of the table.
    private static let faultsOfARow = Dictionary(
        uniqueKeysWithValues: [
            6, 25, 26, 27, 38, 41, 53, 69, 72, 117, 130, 131, 190, 306, 321, 349, 376, 395, 407, 441, 467, 469,
            675, 676, 691,
        ].map { ($0, ResponsePolicy.Action.refused) }
    )

    /// Errors of the setup: a missing table, database or column, an unsupported setting, function, format or statement,
    /// a setting beyond its constraint, a table that cannot be written, wrong credentials, and a missing or expired
    /// user, role, profile or quota.
    private static let faultsOfTheSetup: [Int: ResponsePolicy.Action] = [
        8: .paused(.missingColumn), 10: .paused(.missingColumn), 16: .paused(.missingColumn),
        60: .paused(.missingTable), 81: .paused(.missingTable), 218: .paused(.missingTable),
        44: .paused(.protocolMismatch), 46: .paused(.protocolMismatch), 47: .paused(.protocolMismatch),
        48: .paused(.protocolMismatch), 62: .paused(.protocolMismatch), 73: .paused(.protocolMismatch),
        115: .paused(.protocolMismatch), 344: .paused(.protocolMismatch), 392: .paused(.protocolMismatch),
        446: .paused(.protocolMismatch), 452: .paused(.protocolMismatch), 472: .paused(.protocolMismatch),
        620: .paused(.protocolMismatch), 774: .paused(.protocolMismatch),
        164: .paused(.credentials), 180: .paused(.credentials), 192: .paused(.credentials), 193: .paused(.credentials),
        194: .paused(.credentials), 195: .paused(.credentials), 199: .paused(.credentials), 291: .paused(.credentials),
        492: .paused(.credentials), 496: .paused(.credentials), 497: .paused(.credentials), 511: .paused(.credentials),
        512: .paused(.credentials), 516: .paused(.credentials), 720: .paused(.credentials),
    ]

    /// The standard actions, except for 411, 414 and 431.
    ///
    /// The address and the headers are the same for every batch, and every request has a length. Splitting a batch
    /// therefore does not help.
    private static let standardStatuses: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.statuses[411] = .paused(.protocolMismatch)
        policy.statuses[414] = .paused(.endpoint)
        policy.statuses[431] = .paused(.protocolMismatch)
        return policy
    }()
}
