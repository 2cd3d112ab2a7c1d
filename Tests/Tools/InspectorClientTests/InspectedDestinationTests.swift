import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Testing

@testable import InspectorClient

@Suite struct InspectedDestinationTests {
    private let destination = LineDestination(
        purpose: .marketing,
        limits: BatchLimits(events: 7, bodyBytes: 9_000, framingBytes: 5)
    )
    private var inspected: InspectedDestination {
        get throws {
            let address = try InspectorAddress("http://127.0.0.1:1/?token=abc", allowsOtherMachines: false)
            let reporter = InspectionReporter(to: address, over: RecordingTransport())
            return InspectedDestination(destination, reporter: reporter)
        }
    }

    @Test func `it forwards to the destination without changes`() throws {
        let inspected = try inspected
        let event = OutgoingEvent.stub(parameters: ["x": "ü"])
        let batch = try destination.batch(of: [event])

        #expect(try inspected.encoded(event) == destination.encoded(event))
        #expect((inspected.lane, inspected.purpose) == (destination.lane, ConsentPurpose.marketing))
        #expect(inspected.limits == destination.limits)
        for status in [200, 302, 400, 401, 404, 429, 500] {
            let response = HTTPResponse(status: status)
            #expect(inspected.result(for: response, of: batch) == destination.result(for: response, of: batch))
        }
    }

    @Test func `earlier bytes are kept, and the destination's error is rethrown`() throws {
        let inspected = try inspected
        var encoder = EventEncoder()
        try inspected.encode(.stub(id: .stub(1)), into: &encoder)
        let first = encoder.bytes

        try inspected.encode(.stub(id: .stub(2)), into: &encoder)

        #expect(encoder.bytes.starts(with: first))
        #expect(throws: EventEncodingError(rule: "name_empty")) {
            try inspected.encode(.stub(name: ""), into: &encoder)
        }
    }

    @Test func `no description contains the token`() throws {
        var text = ""
        dump(try inspected, to: &text)

        #expect(!text.contains("abc"))
    }
}
