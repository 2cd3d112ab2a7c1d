import CoreTracker
import EventDelivery
import Foundation
import Testing

@testable import FirebaseTracking

/// Tests that compare complete bodies with the files in `Fixtures`, byte for byte.
@Suite struct GoldenBodyTests {
    @Test(arguments: GoldenBody.allCases)
    func `a body is the same, byte for byte`(body: GoldenBody) throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/\(body.rawValue).json")

        let request = try FirebaseDestination.stub().request(carrying: body.events, consents: body.consents)

        let golden = try Data(contentsOf: file)
        #expect(String(decoding: request.body, as: UTF8.self) == String(decoding: golden, as: UTF8.self))
        #expect(Data(request.body) == golden)
        #expect(try JSONSerialization.jsonObject(with: golden) is [String: Any])
    }
}

/// A golden body and its events.
///
/// The raw value is the name of its file.
enum GoldenBody: String, CaseIterable, Sendable {
    case minimal, purchase, severalEvents = "several-events", hostileText = "hostile-text"
    case consentGranted = "consent-granted", consentDenied = "consent-denied", traits

    /// The user's decision for each purpose.
    ///
    /// `unknown` counts as a denial.
    var consents: [ConsentPurpose: Consent] {
        switch self {
        case .consentGranted: [.analytics: .granted, .marketing: .granted]
        case .consentDenied: [.analytics: .granted, .marketing: .unknown]
        default: [.analytics: .granted]
        }
    }

    var events: [OutgoingEvent] {
        switch self {
        case .minimal, .consentGranted, .consentDenied: [.stub(name: "login")]
        case .purchase: [.purchase]
        case .severalEvents: OutgoingEvent.journey
        case .hostileText: [.hostile]
        case .traits: [.traits]
        }
    }
}

extension OutgoingEvent {
    fileprivate static let purchase = OutgoingEvent.stub(
        name: "purchase",
        parameters: [
            "transaction_id": "T-1", "currency": "EUR", "value": 25.98, "gift": true,
            "items": [
                [
                    "item_id": "BK-17", "item_name": "Atlas", "price": 12.99, "quantity": 2, "item_category": "Books",
                    "index": 0, "shelf": "B3",
                ],
                ["item_name": "Karte \"Süd\"", "discount": 0.5, "used": false],
            ],
        ],
        defaults: ["storefront": "NL", "currency": "USD"],
        identity: .stub(userID: "u-8841", sessionID: "5d2c5b1e-6a52-4b8c-b1b6-d1ac0e1c3cd9")
    )

    fileprivate static let journey = [
        OutgoingEvent.stub(id: .stub(1), name: "view_item", parameters: ["items": [["item_id": "1"]]]),
        OutgoingEvent.stub(
            id: .stub(2),
            name: "add_to_cart",
            time: Timestamp(microseconds: 1_772_359_200_123_457 - 3_000_000)
        ),
        OutgoingEvent.stub(id: .stub(3), name: "play_start", time: Timestamp(microseconds: 1_569_888_000_000_000)),
        OutgoingEvent.stub(id: .stub(4), name: "later", time: .now.advanced(bySeconds: 60)),
    ]

    fileprivate static let traits: OutgoingEvent = {
        var event = OutgoingEvent.stub(
            name: ProfileUpdate.traits.rawValue,
            parameters: ["plan": "gold", "newsletter": true, "orders": 12, "discount": 0.5, "city": "\"Łódź\"},{"],
            identity: .stub(userID: "u-8841"),
            update: .traits
        )
        event.removedTraits = ["phone"]
        return event
    }()

    fileprivate static let hostile = OutgoingEvent.stub(
        name: "search",
        parameters: [
            "search_term": "\"]},{\"name\":\"forged\"}\\", "control": "\u{0}\t\r\n\u{1F}\u{7F}",
            "lines": "\u{2028}\u{2029}",
            "emoji": "👩‍👩‍👧 🇳🇱", "rtl": "عربي", "sql": "'; DROP TABLE events; --", "html": "</script>", "bad key\"": 1,
        ],
        identity: .stub(userID: "u\"\\\n\u{1}é", sessionID: "\"s\"\u{0}")
    )
}
