import AwesomeTracking
import CoreTracker
import EventDelivery
import Foundation
import Testing

@Suite struct OTLPDestinationTests {
    @Test func `the credentials are in a header, and each attempt is the same request`() throws {
        let destination = try OTLPDestination.stub(.stub(authorization: "Bearer p"))
        let events = [OutgoingBatch.Event(id: .stub(), fragment: [0x7B, 0x7D])]

        let requests = (1...3).map { destination.request(for: OutgoingBatch(id: .stub(), attempt: $0, events: events)) }

        #expect(Set(requests).count == 1)
        #expect(requests[0].headers.map(\.name) == ["Content-Type", "Authorization"])
        #expect(requests[0].headers.map(\.value) == ["application/json", "Bearer p"])
        #expect(requests[0].allowsGzip)
    }

    @Test func `events of another version of the app have a separate resource`() throws {
        let (old, new) = (try OTLPDestination.stub(.stub(appVersion: "1.0")), try OTLPDestination.stub())
        let batch = OutgoingBatch(id: .stub(), key: old.batchKey(of: .stub()), events: [])

        let body = String(decoding: new.request(for: batch).body, as: UTF8.self)

        #expect(old.batchKey(of: .stub()) != new.batchKey(of: .stub()))
        #expect(body.contains(#"{"key":"service.version","value":{"stringValue":"1.0"}}"#))
    }

    @Test func `a service can have another name than the product, and no version`() throws {
        let destination = try OTLPDestination.stub(.stub(serviceName: "dolap-lite", appVersion: ""))

        let body = String(decoding: try destination.request(carrying: [.stub()]).body, as: UTF8.self)

        #expect(body.contains(#"{"attributes":[{"key":"service.name","value":{"stringValue":"dolap-lite"}}]}"#))
    }

    @Test func `parameters with an empty key, or with a key of the envelope, are left out and counted`() throws {
        let event = OutgoingEvent.stub(
            parameters: ["": 1, "event.name": "forged", "session.id": "forged", "log.record.uid": 1, "ok": 2]
        )

        let (record, _, adjustments) = try OTLPDestination.stub().encoded(event)

        #expect(adjustments == ["key_empty": 1, "key_reserved": 3])
        #expect(record.hasSuffix(#"{"key":"ok","value":{"intValue":"2"}}]}"#))
        #expect(!record.contains("forged"))
    }

    @Test func `removed traits with an empty key, or with a key of the envelope, are left out and counted`() throws {
        var update = OutgoingEvent.stub(identity: .stub(userID: "u-1"), update: .traits)
        update.removedTraits = ["", "user.id", "phone"]

        let (record, _, adjustments) = try OTLPDestination.stub().encoded(update)

        #expect(adjustments == ["key_empty": 1, "key_reserved": 1])
        #expect(record.hasSuffix(#"{"intValue":"41"}},{"key":"phone","value":{}}]}"#))
    }

    @Test(arguments: [(65_536, nil), (65_537, "value_too_long")])
    func `a text beyond 64 KiB refuses the event`(length: Int, rule: String?) throws {
        let text = String(repeating: "x", count: length)

        #expect(try OTLPDestination.stub().violatedRule(by: .stub(parameters: ["text": .string(text)])) == rule)
        #expect(try OTLPDestination.stub().violatedRule(by: .stub(parameters: [ParameterKey(text): 1])) == rule)
        #expect(
            try OTLPDestination.stub().violatedRule(by: .stub(parameters: ["list": [[ParameterKey(text): 1]]])) == rule
        )
        #expect(try OTLPDestination.stub().violatedRule(by: .stub(identity: .stub(userID: text))) == rule)
    }

    @Test(
        arguments: [
            (.min, "0"), (-1, "0"), (1, "1000"), (18_446_744_073_709_551, "18446744073709551000"),
            (18_446_744_073_709_552, "18446744073709551615"), (.max, "18446744073709551615"),
        ] as [(Int64, String)]
    )
    func `times are nanoseconds of 64 bits`(microseconds: Int64, text: String) throws {
        let record = try OTLPDestination.stub().encoded(.stub(time: Timestamp(microseconds: microseconds))).record

        #expect(record.hasPrefix(#"{"timeUnixNano":"\#(text)","observedTimeUnixNano":"\#(text)","#))
    }

    @Test func `an event without a name is refused`() throws {
        #expect(try OTLPDestination.stub().violatedRule(by: .stub(name: "")) == "name_empty")
    }
}
