public import EventDelivery

/// What ClickHouse's answers mean: a table by exception code, and one by status where there is no known code.
///
/// The code decides first, since release 18.16 answers 500 to faults of a row and of the server alike. It comes from a
/// header in current releases and from the body's start in all. The row that the body may name, as `(at row 2)`, is a
/// hint for humans: older texts count differently, and bisecting finds the row with every release.
public struct ClickHouseResponses: Sendable {
    /// The rows for exception codes.
    public var codes: [Int: ResponsePolicy.Action]
    /// The rows for statuses.
    public var statuses: ResponsePolicy
    /// How often a batch is sent that the server refuses by an unknown code, before one of its rows is suspected.
    ///
    /// A full disk has such a code as well as a strange row has: where all rows are refused alike, the lane pauses.
    public var attemptsWithUnknownCode: Int

    /// The table of releases from 18.16 to the current ones.
    public static let standard = ClickHouseResponses(
        codes: ClickHouseResponses.transient
            .merging(ClickHouseResponses.faultsOfARow) { first, _ in first }
            .merging(ClickHouseResponses.faultsOfTheSetup) { first, _ in first },
        statuses: ClickHouseResponses.standardStatuses,
        attemptsWithUnknownCode: 5
    )

    /// Says what an answer to a batch's attempt means.
    ///
    /// An acknowledgement has no body of its own; one that is a page comes from somebody in between.
    public func verdict(on response: HTTPResponse, attempt: Int) -> BatchVerdict {
        guard let code = ClickHouseResponses.exceptionCode(of: response) else {
            let isPage = response.status / 100 == 2 && response.body.first == UInt8(ascii: "<")
            return isPage ? .paused(.intercepted) : statuses.verdict(on: response)
        }
        switch codes[code] {
        case .retry: return .retry(after: RetryAfter.wait(in: response))
        case .paused(let reason): return .paused(reason)
        case .some: return .refused("code \(code)")
        case nil: break
        }
        guard response.status == 500 || response.status / 100 == 2 else { return statuses.verdict(on: response) }
        return attempt < attemptsWithUnknownCode
            ? .retry(after: RetryAfter.wait(in: response)) : .suspect("code \(code)")
    }

    /// The exception's code: the header's, or else that of a body which starts with `Code: 60.` or `Code: 60,`.
    ///
    /// 0 stands for a body that starts so and has no number; `nil` for an answer without exception.
    static func exceptionCode(of response: HTTPResponse) -> Int? {
        if let text = response.headers["x-clickhouse-exception-code"], let code = Int(text), code != 0 { return code }
        guard response.body.starts(with: "Code: ".utf8) else { return nil }
        let digits = response.body.dropFirst(6).prefix(9).prefix { $0 &- 0x30 < 10 }
        let next = response.body.dropFirst(6 + digits.count).first
        guard next == UInt8(ascii: ".") || next == UInt8(ascii: ",") else { return 0 }
        return digits.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    }
}

extension ClickHouseResponses {
    /// Faults that pass: time-outs, too many queries, parts or bytes, replicas that are gone, an unknown outcome, a
    /// body that was damaged on its way.
    private static let transient: [Int: ResponsePolicy.Action] = [
        159: .retry, 202: .retry, 209: .retry, 210: .retry, 241: .retry, 242: .retry, 252: .retry, 285: .retry,
        319: .retry, 354: .retry, 999: .retry,
    ]

    /// Text that cannot be parsed, a value of the wrong type, incorrect data.
    private static let faultsOfARow: [Int: ResponsePolicy.Action] = [
        6: .refused, 25: .refused, 26: .refused, 27: .refused, 38: .refused, 41: .refused, 53: .refused, 72: .refused,
        117: .refused,
    ]

    /// A table, database or column that is missing, a setting or statement that is not understood, credentials.
    private static let faultsOfTheSetup: [Int: ResponsePolicy.Action] = [
        16: .paused(.missingColumn), 60: .paused(.missingTable), 81: .paused(.missingTable),
        62: .paused(.protocolMismatch), 115: .paused(.protocolMismatch),
        164: .paused(.credentials), 192: .paused(.credentials), 193: .paused(.credentials),
        194: .paused(.credentials), 497: .paused(.credentials), 516: .paused(.credentials),
    ]

    /// HTTP's own meaning, but that address and headers are the same for every batch, so that 414 and 431 split none,
    /// and that no request is sent without a length.
    private static let standardStatuses: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.statuses[411] = .paused(.protocolMismatch)
        policy.statuses[414] = .paused(.endpoint)
        policy.statuses[431] = .paused(.protocolMismatch)
        return policy
    }()
}
