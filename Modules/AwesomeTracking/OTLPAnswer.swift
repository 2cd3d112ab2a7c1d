import EventDelivery

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a receiver of OTLP answers, read leniently: a success may speak of records that were rejected.
struct OTLPAnswer: Decodable {
    /// The reason by which rejected records are counted as dropped.
    static let reason = "rejected_by_receiver"

    /// A number of 64 bits, which protobuf's JSON writes as text; a number is taken too.
    private struct Count: Decodable {
        let value: Int

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = try (try? container.decode(Int.self)) ?? Int(try container.decode(String.self)) ?? 0
        }
    }

    private struct PartialSuccess: Decodable {
        let rejectedLogRecords: Count?
    }

    private let partialSuccess: PartialSuccess?

    /// Says what an acknowledgement means for a batch of so many events.
    ///
    /// Rejected records must not be sent again, and the answer does not say which they are: so many of the batch are
    /// counted as dropped, from its start, so that the number is right where the ids cannot be.
    static func verdict(on response: HTTPResponse, events count: Int) -> BatchVerdict {
        guard !response.body.isEmpty,
            let answer = try? JSONDecoder().decode(OTLPAnswer.self, from: Data(response.body)),
            let rejected = answer.partialSuccess?.rejectedLogRecords?.value, rejected > 0, count > 0
        else { return .delivered }
        let lost = (0..<min(rejected, count)).map { ($0, BatchVerdict.EventVerdict.lost(OTLPAnswer.reason)) }
        return .partial(Dictionary(uniqueKeysWithValues: lost))
    }
}
