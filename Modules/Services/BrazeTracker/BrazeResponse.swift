import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of a `/users/track` response, decoded leniently, because the reference does not define the form of
/// `errors`.
struct BrazeResponse: Decodable {
    /// An entry of `errors`.
    ///
    /// An entry of any other form decodes without values.
    struct Fault: Decodable {
        /// The text of the error.
        let type: String?
        /// The name of the array in which the index counts.
        let inputArray: String?
        /// The index, starting at 0.
        let index: Int?

        private enum CodingKeys: String, CodingKey {
            case type, index
            case inputArray = "input_array"
        }

        init(from decoder: any Decoder) throws {
            let container = try? decoder.container(keyedBy: CodingKeys.self)
            type = try? container?.decode(String.self, forKey: .type)
            inputArray = try? container?.decode(String.self, forKey: .inputArray)
            index = try? container?.decode(Int.self, forKey: .index)
        }
    }

    private let message: String?
    private let errors: [Fault]
    /// The number of processed objects by the name of their array, for each array counted by the response.
    private let processed: [String: Int]

    private enum CodingKeys: String, CodingKey {
        case message, errors
        case events = "events_processed"
        case attributes = "attributes_processed"
        case aliases = "aliases_processed"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        message = try? container.decode(String.self, forKey: .message)
        errors = (try? container.decode([Fault].self, forKey: .errors)) ?? []
        let counts: [(String, CodingKeys)] = [
            ("events", .events), ("attributes", .attributes), ("aliases_to_identify", .aliases),
        ]
        processed = counts.reduce(into: [:]) { processed, count in
            processed[count.0] = (try? container.decode(Int.self, forKey: count.1)).map { max(0, $0) }
        }
    }

    private init() {
        message = nil
        errors = []
        processed = [:]
    }

    /// Returns the result of a batch for a response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - count: The number of objects in the batch.
    ///   - array: The name of the array that contains the objects.
    static func result(
        for response: HTTPResponse,
        events count: Int,
        in array: String = "events"
    ) -> BatchResult {
        let result = policy.result(for: response)
        switch result {
        case .delivered:
            let faults = read(response).skipped(count: count, in: array)
            return faults.isEmpty ? .delivered : .partial(faults)
        case .refused: return read(response).refusal(result, count: count, in: array)
        case .retry(let wait):
            guard response.status == 429 else { return result }
            let reset = RetryAfter.wait(in: response, untilEpochSecondOf: "x-ratelimit-reset")
            let limit = RetryAfter.wait(in: response, header: "x-ratelimit-retry-after")
            return .retry(after: [wait, reset, limit].compactMap(\.self).max())
        case .partial, .suspect, .tooLarge, .paused: return result
        }
    }

    /// The standard policy, in which every 2xx acknowledges.
    ///
    /// The usual status is 201.
    private static let policy: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.acknowledged = Set(200...299)
        return policy
    }()

    private static func read(_ response: HTTPResponse) -> BrazeResponse {
        (try? JSONDecoder().decode(BrazeResponse.self, from: Data(response.body))) ?? BrazeResponse()
    }

    /// Returns the results of the events left out by a success, by their index.
    ///
    /// If Braze has processed no object, it has stored none, even if `errors` names no index. If it has processed some,
    /// the others are lost, because the response does not identify them. As many events are counted as dropped, from
    /// the start of the batch. The count is right, but the ids are not.
    private func skipped(count: Int, in array: String) -> [Int: BatchResult.EventResult] {
        var faults = faults(count: count, in: array)
        let unnamed = errors.first { $0.index == nil }
        let reason = ResponseText.reason(unnamed?.type ?? "not processed")
        // The number of attributes is that of external ids. It does not include user aliases.
        let isCounted = array != "attributes"
        // Without a count, an error of a single object is its own.
        let isEmpty = isCounted ? processed[array].map { $0 == 0 } : nil
        if isEmpty ?? (count == 1 && !errors.isEmpty) {
            for index in 0..<count where faults[index] == nil { faults[index] = .refused(reason) }
        } else if isCounted, let processed = processed[array] {
            let unidentified = (0..<count).filter { faults[$0] == nil }
            for index in unidentified.prefix(max(0, unidentified.count - processed)) {
                faults[index] = .dropped(reason)
            }
        }
        return faults
    }

    /// Returns the results of the events skipped by Braze, by their index.
    private func faults(count: Int, in array: String) -> [Int: BatchResult.EventResult] {
        var faults: [Int: BatchResult.EventResult] = [:]
        for fault in errors where fault.inputArray == array || fault.inputArray == nil {
            guard let index = fault.index, (0..<count).contains(index) else { continue }
            faults[index] = .refused(ResponseText.reason(fault.type ?? "refused without a reason"))
        }
        return faults
    }

    /// Returns the result of a batch for a 400: too many objects, or no valid one.
    ///
    /// If the response names all events, the batch is not bisected.
    private func refusal(_ result: BatchResult, count: Int, in array: String) -> BatchResult {
        let tooMany = [
            "Max Input Length Exceeded", "The max number of ids per request was exceeded",
            "The max number of external_ids and aliases per request was exceeded",
        ]
        if let message, tooMany.contains(where: message.contains) { return .tooLarge }
        let faults = faults(count: count, in: array)
        return faults.count == count ? .partial(faults) : result
    }
}
