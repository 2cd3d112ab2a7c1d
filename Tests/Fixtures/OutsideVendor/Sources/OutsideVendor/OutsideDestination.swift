import CoreTracker
import EventDelivery
import Foundation

extension LaneID {
    /// The lane of a product's events for the vendor.
    static let outside = LaneID(product: "DL", service: TrackerType.outside.name)
}

/// The vendor's wire format: a line of JSON for each event.
struct OutsideDestination: Destination {
    let lane = LaneID.outside
    let limits = BatchLimits(events: 50, bodyBytes: 100_000, framingBytes: 50)

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        guard !event.name.isEmpty else { throw EventEncodingError(rule: "name_empty") }
        encoder.json.beginObject()
        encoder.json.key("id")
        encoder.json.id(event.id)
        encoder.json.member("event", .string(event.name))
        encoder.json.key("properties")
        encoder.json.object(event.mergedParameters)
        encoder.json.endObject()
    }

    func request(for batch: OutgoingBatch) -> HTTPRequest {
        let body = batch.events.flatMap { Array($0.fragment) + [UInt8(ascii: "\n")] }
        return HTTPRequest(url: URL(string: "https://outside.example/events") ?? URL(filePath: "/"), body: body)
    }
}
