import CoreTracker
public import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The body of an OTLP response, decoded leniently.
///
/// A successful response can report rejected records.
struct OTLPResponse: Decodable {
    /// The drop reason of rejected records.
    static let reason = "rejected_by_receiver"

    /// A 64-bit number, which protobuf's JSON form writes as a string.
    ///
    /// A JSON number is also accepted.
    private struct Count: Decodable {
        let value: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try (try? container.decode(Int.self)) ?? Int(try container.decode(String.self)) ?? 0
        }
    }

    private struct PartialSuccess: Decodable {
        let rejectedLogRecords: Count?
        let errorMessage: String?
    }

    private let partialSuccess: PartialSuccess?

    /// Returns the result of a batch for a successful response.
    ///
    /// Rejected records must not be sent again, and the response does not identify them. As many events are counted as
    /// dropped, from the start of the batch. The count is right, but the ids are not. A message without rejected records
    /// is a warning.
    ///
    /// - Parameters:
    ///   - response: The response, whose status acknowledges the request.
    ///   - count: The number of events in the batch.
    static func result(for response: HTTPResponse, events count: Int) -> BatchResult {
        let decoder = JSONDecoder()
        // Protobuf's JSON form has names in camel case. Some receivers write the names of the schema.
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard !response.body.isEmpty,
            let decoded = try? decoder.decode(OTLPResponse.self, from: Data(response.body)),
            let partial = decoded.partialSuccess, count > 0
        else { return .delivered }
        let rejected = max(0, partial.rejectedLogRecords?.value ?? 0)
        guard rejected > 0 || partial.errorMessage?.isEmpty == false else { return .delivered }
        return .partial((0..<min(rejected, count)).keyed { ($0, .dropped(OTLPResponse.reason)) })
    }
}

extension ResponsePolicy {
    /// The policy of OTLP: 429, 502, 503 and 504 are temporary.
    ///
    /// A Collector also responds with 500, to temporary and to permanent errors. Such a batch is sent again with the
    /// back-off, then bisected. If all events are rejected alike, the lane pauses, and no event is lost.
    public static let otlp: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        for status in [408, 409, 425, 499, 500, 507, 509] { policy.statuses[status] = .suspect }
        // The address and headers are the same for every batch. Splitting a batch does not help.
        policy.statuses[414] = .paused(.endpoint)
        policy.statuses[431] = .paused(.protocolMismatch)
        policy.statusClasses[5] = .suspect
        return policy
    }()
}
