import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A problem object of the Edge Network (RFC 7807), decoded leniently.
struct AdobeResponse: Decodable {
    private struct Problem: Decodable {
        let type: String?
        let title: String?
        let detail: String?

        private enum CodingKeys: String, CodingKey {
            case type, title, detail
        }

        init(from decoder: any Decoder) throws {
            let container = try? decoder.container(keyedBy: CodingKeys.self)
            type = try? container?.decode(String.self, forKey: .type)
            title = try? container?.decode(String.self, forKey: .title)
            detail = try? container?.decode(String.self, forKey: .detail)
        }

        /// The number in `…/EXEG-0104-422`.
        var code: Int? {
            type?.firstMatch(of: /EXEG-(\d{4})-\d{3}/).flatMap { Int($0.1) }
        }

        /// The index of the faulty event, such as 2 for "event #2", or `nil` if the detail does not have the form of
        /// its code.
        ///
        /// The detail can also quote ids of users, which can look like an index. So the index is read only at the end
        /// of the detail or at its beginning, except for a code that quotes no id.
        var eventIndex: Int? {
            let index: Substring? =
                switch code {
                case 304: detail?.firstMatch(of: /following event:? `?#\{?(\d{1,9})\}?`?\.?\s*$/.ignoresCase())?.1
                case 306: detail?.firstMatch(of: /\bevent:? `?#\{?(\d{1,9})/.ignoresCase())?.1
                case 308: detail?.firstMatch(of: /^\s*event:? `?#\{?(\d{1,9})\}?`?\s/.ignoresCase())?.1
                default: nil
                }
            return index.flatMap { Int($0) }
        }
    }

    private let problem: Problem
    private let errors: [Problem]
    private let warnings: [Problem]

    private enum CodingKeys: String, CodingKey {
        case errors, warnings
    }

    init(from decoder: any Decoder) throws {
        problem = try Problem(from: decoder)
        let container = try decoder.container(keyedBy: CodingKeys.self)
        errors = (try? container.decode([Problem].self, forKey: .errors)) ?? []
        warnings = (try? container.decode([Problem].self, forKey: .warnings)) ?? []
    }

    /// The error codes that refine the meaning of a status.
    private enum Code {
        /// The datastream is missing, unknown or disabled, or its configuration names a nonexistent sandbox or identity
        /// namespace.
        static let configuration: Set<Int> = [2, 3, 4, 10, 11, 12, 13]
        /// A parameter of the address, the type of the body or the override of the configuration is wrong, which every
        /// request has in common.
        static let request: Set<Int> = [106, 107, 108, 110, 113]
        /// The events were ignored because of missing consent.
        ///
        /// Adobe's SDK tests expect it among the warnings of a response with status 200.
        static let ignoredForConsent = 301
    }

    /// Returns the result of a batch for a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - count: The number of events in the batch.
    static func result(for response: HTTPResponse, events count: Int) -> BatchResult {
        let result = policy.result(for: response)
        let decoded = try? JSONDecoder().decode(AdobeResponse.self, from: Data(response.body))
        switch result {
        case .delivered:
            guard decoded?.codes.contains(Code.ignoredForConsent) == true else { return .delivered }
            return every(count, .dropped("ignored for lack of consent"))
        case .refused(let reason):
            guard let decoded else { return result }
            if !Code.configuration.union(Code.request).isDisjoint(with: decoded.codes) { return .paused(.endpoint) }
            return decoded.isolated(count: count) ?? .refused(decoded.reason ?? reason)
        case .partial, .retry, .suspect, .tooLarge, .paused: return result
        }
    }

    /// The table in the Edge Network's documentation.
    ///
    /// 207 means accepted: a service behind the Edge Network failed, and a repeated request would count twice. Adobe
    /// asks not to repeat a 500 either. It is repeated, because otherwise its events would be lost.
    private static let policy: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.acknowledged = Set(200...207)
        policy.statuses[409] = .suspect
        policy.statuses[500] = .suspect
        return policy
    }()

    private var codes: Set<Int> { Set(([problem] + errors + warnings).compactMap(\.code)) }

    private var reason: String? {
        [problem.title, problem.detail].compactMap(\.self).first.map(ResponseText.reason)
    }

    /// Returns a result that rejects the events named by their index and retries the others, or `nil` if none is named.
    private func isolated(count: Int) -> BatchResult? {
        let faulty = Set(([problem] + errors).compactMap(\.eventIndex).filter { (0..<count).contains($0) })
        guard !faulty.isEmpty else { return nil }
        let refusal = BatchResult.EventResult.refused(reason ?? "refused without a reason")
        let results = (0..<count).map { ($0, faulty.contains($0) ? refusal : .retry) }
        return .partial(Dictionary(uniqueKeysWithValues: results))
    }

    private static func every(_ count: Int, _ result: BatchResult.EventResult) -> BatchResult {
        .partial(Dictionary(uniqueKeysWithValues: (0..<count).map { ($0, result) }))
    }
}
