import CoreTracker
import EventQuotas
import EventTracking
import Foundation
import Testing

@Suite struct RemoteQuotasTests {
    @Test(arguments: [
        ("", ""),
        ("null", ""),
        ("[]", ""),
        ("1", ""),
        ("{", ""),
        (#"{"version": 1}}"#, ""),
        (#"{"version": 1} // comment"#, ""),
        (#"{}"#, "version"),
        (#"{"version": "1"}"#, "version"),
        (#"{"version": null}"#, "version"),
        (#"{"version": 1, "events": []}"#, "events"),
        (#"{"version": 1, "events": {"viewed": true}}"#, "events.viewed"),
        (#"{"version": 1, "events": {"viewed": {"sample": "0.5"}}}"#, "events.viewed.sample"),
        (#"{"version": 1, "events": {"viewed": {"sample": true}}}"#, "events.viewed.sample"),
        (#"{"version": 1, "lanes": {"DL/firebase": {"perMinute": [1]}}}"#, "lanes.DL/firebase.perMinute"),
        (#"{"version": 1, "lanes": {"DL": {"off": true}}}"#, "lanes.DL"),
        (#"{"version": 1, "lanes": {"DL/a": {"events": {"viewed": {"off": 1}}}}}"#, "lanes.DL/a.events.viewed.off"),
        (#"{"version": 1, "products": {"DL": {"off": 1}}}"#, "products.DL.off"),
        (#"{"version": 1, "products": {"DL": {"off": true}, "TY": {"off": "yes"}}}"#, "products.TY.off"),
    ])
    func `a malformed document is rejected, with the path of the value`(document: String, path: String) {
        #expect(throws: QuotasError.malformed(at: path)) { try RemoteQuotas(document: document.utf8) }
    }

    @Test(arguments: [
        #"{"version": 1.5}"#,
        #"{"version": 1, "events": {"viewed": {"sample": NaN}}}"#,
        #"{"version": 1, "events": {"viewed": {"sample": 1e999}}}"#,
        #"{"version": 1, "events": {"viewed": {"sample": --1}}}"#,
        "{\"version\": 1, \"events\": {\"a\u{0}b\": {}}}",
        #"{"version": 1, "more": "# + String(repeating: "[", count: 60_000),
        String(repeating: #"{"more":"#, count: 8_000),
        String(repeating: "[", count: 30_000) + String(repeating: "]", count: 30_000),
    ])
    func `a document that is not JSON or is too deep is rejected`(document: String) {
        #expect(
            performing: {
                try RemoteQuotas(document: document.utf8)
            },
            throws: { error in
                guard case .malformed = error as? QuotasError else { return false }
                return true
            }
        )
    }

    @Test func `bytes that are no text are rejected`() {
        let bytes = Array(#"{"version": 1, "events": {"a"#.utf8) + [0xFF, 0xC0] + Array(#"": {}}}"#.utf8)

        #expect(throws: QuotasError.self) { try RemoteQuotas(document: bytes) }
    }

    @Test(arguments: [0, 2, -1, Int.max])
    func `a document of another version is rejected, whatever else it has`(version: Int) {
        let document = #"{"version": \#(version), "events": 7}"#

        #expect(throws: QuotasError.unknownVersion(version)) { try RemoteQuotas(document: document.utf8) }
    }

    @Test func `a document is rejected beyond its maximum size, and not before`() throws {
        let document = Array(#"{"version": 1}"#.utf8)
        let largest = document + Array(repeating: UInt8(ascii: " "), count: 65_536 - document.count)

        #expect(try RemoteQuotas(document: largest).count == 0)
        #expect(throws: QuotasError.tooLarge(bytes: 65_537)) { try RemoteQuotas(document: largest + [0x20]) }
    }

    @Test func `a document is rejected beyond its maximum number of entries, and not before`() throws {
        func document(_ count: Int) -> String {
            let events = (2...count).map { "\"e\($0)\": {}" }.joined(separator: ",")
            return #"{"version": 1, "events": {\#(events)}, "products": {"DL": {}}}"#
        }

        #expect(try RemoteQuotas(document: document(1_000).utf8).count == 1_000)
        #expect(throws: QuotasError.tooManyEntries(1_001)) { try RemoteQuotas(document: document(1_001).utf8) }
    }

    @Test(arguments: [
        (#"{"sample": -0.1}"#, 0.0, nil, 1), (#"{"sample": 1.5}"#, 1, nil, 1), (#"{"sample": 1e308}"#, 1, nil, 1),
        (#"{"sample": 0}"#, 0, nil, 0), (#"{"sample": 1}"#, 1, nil, 0), (#"{"sample": null}"#, nil, nil, 0),
        (#"{"perMinute": -1}"#, nil, 0, 1), (#"{"perMinute": 1000001}"#, nil, 1_000_000, 1),
        (#"{"perMinute": 1e300}"#, nil, 1_000_000, 1), (#"{"perMinute": 2.9}"#, nil, 2, 0),
        (#"{"sample": 2, "perMinute": -9223372036854775809}"#, 1, 0, 2),
    ])
    func `a value out of range is clamped and counted`(
        entry: String,
        sample: Double?,
        perMinute: Int?,
        clamped: Int
    ) throws {
        let quotas = try RemoteQuotas(document: #"{"version": 1, "lanes": {"DL/firebase": \#(entry)}}"#.utf8)

        let found = try #require(quotas.lanes[.firebase(product: "DL")])
        #expect(found.sample == sample)
        #expect(found.perMinute == perMinute)
        #expect(quotas.clamped == clamped)
    }

    @Test func `unknown keys are ignored and counted, and null is ignored`() throws {
        let document = #"""
            {"version": 1, "comment": {"by": ["a"]}, "event": {},
             "events": {"viewed": {"off": true, "sampel": 0, "events": {"a": {}}}, "liked": null}, "products": null,
             "lanes": {"DL/a": {"events": {"b": {"events": {"c": {}}}}}}}
            """#

        let quotas = try RemoteQuotas(document: document.utf8)

        #expect(quotas.ignored == 5)
        #expect(quotas.count == 3)
        #expect(quotas.events["viewed"]?.off == true)
    }

    @Test func `a document is the same after it was stored and read`() throws {
        let document = #"""
            {"version": 1, "events": {"e\u0301 \"": {"sample": 0.1}}, "lanes": {"DL/a/b": {"perMinute": 7, "events": {"c": {"off": true}}}},
             "products": {"": {"off": false}}}
            """#
        let quotas = try RemoteQuotas(document: document.utf8)

        let read = try RemoteQuotas(document: JSONEncoder().encode(quotas))

        #expect(read == quotas)
        #expect(read.lanes[LaneID(product: "DL", service: "a/b")]?.perMinute == 7)
        #expect(read.lanes[LaneID(product: "DL", service: "a/b")]?.events["c"]?.off == true)
    }

    @Test(arguments: [
        (QuotasError.tooLarge(bytes: 70_000), "the quotas document has 70000 bytes: the maximum is 65536"),
        (.malformed(at: ""), "the quotas document is malformed"),
        (.malformed(at: "lanes.DL"), "the quotas document has no valid value at lanes.DL"),
        (.unknownVersion(2), "the quotas document has the unknown version 2"),
        (.tooManyEntries(1_001), "the quotas document has 1001 entries: the maximum is 1000"),
        (.notStored(.full), "the quotas are in effect until the process ends, but not stored: the disk is full"),
    ])
    func `the description of an error names the limit or the value`(error: QuotasError, text: String) {
        #expect("\(error)" == text)
    }
}
