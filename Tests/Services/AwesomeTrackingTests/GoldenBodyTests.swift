import CoreTracker
import EventDelivery
import Foundation
import Testing

@testable import AwesomeTracking

/// Tests that compare complete bodies with the files in `Fixtures`, byte for byte.
@Suite struct GoldenBodyTests {
    @Test(arguments: GoldenBody.allCases)
    func `a body is the same, byte for byte`(body: GoldenBody) throws {
        let request = try ClickHouseDestination.stub().request(carrying: body.events)

        let golden = try Self.fixture("\(body.rawValue).ndjson")
        #expect(String(decoding: request.body, as: UTF8.self) == String(decoding: golden, as: UTF8.self))
        #expect(Data(request.body) == golden)
    }

    @Test(arguments: GoldenBody.allCases)
    func `a body of OTLP is the same, byte for byte`(body: GoldenBody) throws {
        let request = try OTLPDestination.stub().request(carrying: body.events)

        #expect(Data(request.body) == (try Self.fixture("\(body.rawValue).json")))
    }

    @Test func `OTLP's kinds of values are the same, byte for byte`() throws {
        let request = try OTLPDestination.stub().request(carrying: [.everyValue])

        #expect(Data(request.body) == (try Self.fixture("every-value.json")))
    }

    @Test(arguments: GoldenBody.allCases)
    func `each line is a row, and its props are JSON again`(body: GoldenBody) throws {
        let request = try ClickHouseDestination.stub().request(carrying: body.events)

        let lines = request.body.split(separator: UInt8(ascii: "\n"))

        #expect(lines.count == body.events.count)
        for line in lines {
            let row = try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
            let props = try #require(row["props"] as? String)
            #expect(try JSONSerialization.jsonObject(with: Data(props.utf8)) is [String: Any])
        }
    }

    @Test func `each row and record can have the time of its attempt`() throws {
        let endpoint = try Endpoint("https://rows.example")
        let rows = ClickHouseDestination(
            product: "DL",
            configuration: try ClickHouseConfiguration(endpoint: endpoint, statesSendingTime: true)
        )
        let records = OTLPDestination(
            product: "DL",
            configuration: try OTLPConfiguration(endpoint: endpoint, statesSendingTime: true)
        )
        func body(of destination: any Destination, _ fragment: String) -> String {
            let event = OutgoingBatch.Event(id: .stub(1), fragment: Array(fragment.utf8)[...])
            let time = Timestamp(microseconds: 1_772_359_260_000_000)
            let batch = OutgoingBatch(id: .stub(99), attempt: 2, time: time, events: [event, event])
            return String(decoding: destination.request(for: batch).body, as: UTF8.self)
        }

        let lines = body(of: rows, try rows.encoded(.stub()).row).split(separator: "\n")
        #expect(lines.count == 2 && lines.allSatisfy { $0.hasSuffix(#","sent_at":1772359260000}"#) })
        let text = body(of: records, try records.encoded(.stub()).record)
        let attribute = #"{"key":"awesome.sent_at","value":{"intValue":"1772359260000"}}]}"#
        #expect(text.ranges(of: attribute).count == 2)
        #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
    }

    @Test func `an event without a session has an empty column, and no attribute`() throws {
        let event = OutgoingEvent.stub(identity: .stub(sessionID: ""))

        #expect(try ClickHouseDestination.stub().encoded(event).row.contains(#""session_id":"","#))
        #expect(try !OTLPDestination.stub().encoded(event).record.contains("session.id"))
    }

    private static func fixture(_ name: String) throws -> Data {
        try Data(contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name)"))
    }
}

/// A golden body and its events.
///
/// The raw value is the name of its file.
enum GoldenBody: String, CaseIterable, Sendable {
    case minimal, severalEvents = "several-events", hostileText = "hostile-text", updates

    var events: [OutgoingEvent] {
        switch self {
        case .minimal: [.stub(name: "app_open")]
        case .severalEvents: OutgoingEvent.journey
        case .hostileText: [.hostile]
        case .updates: OutgoingEvent.updates(removing: ["phone"], "city")
        }
    }
}

extension OutgoingEvent {
    fileprivate static let journey = [
        OutgoingEvent.stub(
            id: .stub(1),
            name: "product_viewed",
            parameters: ["product_id": 55, "price": 12.99, "in_stock": true, "tags": ["new", "sale"]],
            defaults: ["channel": "ios", "storefront": "NL"],
            identity: .stub(userID: "u-8841")
        ),
        OutgoingEvent.stub(
            id: .stub(2),
            name: "purchased",
            parameters: ["lines": [["product_id": 55, "quantity": 2], ["product_id": .int(.max)]], "total": 1e308],
            defaults: ["channel": "ios"],
            time: Timestamp(microseconds: 1_569_888_000_000_000),
            sequence: 42
        ),
        OutgoingEvent.stub(id: .stub(3), name: "app_closed", sequence: .max),
    ]

    /// Returns an update of each kind.
    ///
    /// - Parameters:
    ///   - traits: The user's traits removed by the first update.
    ///   - trait: The group's trait removed by the second update.
    fileprivate static func updates(removing traits: [ParameterKey], _ trait: ParameterKey) -> [OutgoingEvent] {
        var events = updates
        (events[0].removedTraits, events[1].removedTraits) = (traits, [trait])
        return events
    }

    private static let updates = [
        OutgoingEvent.stub(
            name: ProfileUpdate.traits.rawValue,
            parameters: [
                "plan": "gold", "newsletter": true, "city": "\"Łódź\"},{", "orders": ["$increment": 2],
                "tags": ["$append": ["vip"]],
            ],
            identity: .stub(userID: "u-8841"),
            update: .traits
        ),
        OutgoingEvent.stub(
            id: .stub(2),
            name: ProfileUpdate.group.rawValue,
            parameters: ["group_id": "g-7", "traits": ["name": "Acme", "seats": 25]],
            identity: .stub(userID: "u-8841"),
            sequence: 42,
            update: .group
        ),
        OutgoingEvent.stub(
            id: .stub(3),
            name: ProfileUpdate.alias.rawValue,
            parameters: ["previous_id": "0f1e2d3c4b5a69788796a5b4c3d2e1f0"],
            identity: .stub(userID: "u-8841"),
            sequence: 43,
            update: .alias
        ),
    ]

    fileprivate static let hostile = OutgoingEvent.stub(
        name: "search\"\n",
        parameters: [
            "term": "\"]},{\"name\":\"forged\"}\\", "control": "\u{0}\t\r\n\u{1F}\u{7F}", "lines": "\u{2028}\u{2029}",
            "emoji": "👩‍👩‍👧 🇳🇱", "rtl": "عربي", "sql": "'; DROP TABLE events; --", "key \"\\\n": ["\\\"": "\\"],
            "nan": .double(.nan),
        ],
        identity: .stub(userID: "u\"\\\n\u{1}é", sessionID: "\"s\"\u{0}")
    )

    /// An event with every kind of value, including values without a JSON form and a value with too many levels.
    fileprivate static let everyValue = OutgoingEvent.stub(
        parameters: [
            "text": "plain", "most": .int(.max), "least": .int(.min), "fraction": 12.99, "zero": -0.0, "large": 1e308,
            "small": .double(.leastNonzeroMagnitude), "yes": true, "no": false, "empty": "", "none": [], "bare": [:],
            "list": ["a", 1, 2.5, false, [1], ["k": "v"]], "map": ["id": 55, "lines": [["quantity": 2]]],
            "nan": .double(.nan), "holes": [.double(.infinity), 1], "half": ["nan": .double(.nan), "ok": 1],
            "deep": (0..<40).reduce("bottom") { inner, level in level % 2 == 0 ? [inner] : ["k": inner] },
        ],
        defaults: ["channel": "ios"],
        time: Timestamp(microseconds: -1)
    )
}
