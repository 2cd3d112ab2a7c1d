import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Foundation
import Testing

@Suite struct DestinationTests {
    @Test func `a wrapper is the destination that it stands before, in every member`() throws {
        let (base, wrapper) = (ContraryDestination(), PlainWrapper(base: ContraryDestination()))
        let event = OutgoingEvent.stub()
        let batch = try base.batch(of: [event])

        #expect(wrapper.lane == base.lane && wrapper.purpose == .marketing && wrapper.order == .none)
        #expect(wrapper.limits == base.limits && wrapper.updates == [.alias])
        #expect(wrapper.transport is ScriptedTransport)
        #expect(wrapper.batchKey(of: event) == "contrary")
        #expect(!wrapper.canSend(batchKey: "") && wrapper.canSend(batchKey: "contrary"))
        #expect(try wrapper.encoded(event).fragment == "1")
        #expect(wrapper.request(for: batch) == base.request(for: batch))
        #expect(wrapper.result(for: HTTPResponse(status: 200), of: batch) == .paused(.credentials))
    }

    @Test func `a wrapper hands on each requirement, even one that has a default`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../../Modules/Delivery/EventDelivery/Destinations/Destination.swift")
        let text = try String(contentsOf: file.standardizedFileURL, encoding: .utf8)

        let required = try members(of: "public protocol Destination: Sendable", in: text)
        let handedOn = try members(of: "extension DestinationWrapper", in: text)

        #expect(required.count >= 10)
        #expect(required == handedOn)
    }

    /// The names of the members of a declaration that begins with a text.
    private func members(of declaration: String, in text: String) throws -> [String] {
        let start = try #require(text.range(of: declaration)).upperBound
        let end = try #require(text.range(of: "\n}\n", range: start..<text.endIndex)).lowerBound
        return text[start..<end].split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^    (?:package )?(?:var|func) ([A-Za-z]+)/).map { String($0.output.1) }
        }
    }
}

private struct PlainWrapper: DestinationWrapper {
    let base: any Destination
}

/// A destination whose every member says something else than the default.
private struct ContraryDestination: Destination {
    let lane = LaneID(product: "T", service: "contrary")
    let purpose = ConsentPurpose.marketing
    let order = DeliveryOrder.none
    let limits = BatchLimits(events: 3, bodyBytes: 333, framingBytes: 3)
    let updates: Set<ProfileUpdate> = [.alias]
    let transport: (any Transport)? = ScriptedTransport()

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        encoder.json.int(1)
    }

    func batchKey(of event: OutgoingEvent) -> String { "contrary" }

    func canSend(batchKey key: String) -> Bool { key == "contrary" }

    func request(for batch: OutgoingBatch) -> HTTPRequest { HTTPRequest(url: URL(filePath: "/contrary"), body: [1]) }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult { .paused(.credentials) }
}
