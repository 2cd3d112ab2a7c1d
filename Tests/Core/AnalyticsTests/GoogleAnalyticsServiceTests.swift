import CoreTracker
import CoreTrackerTesting
import Locks
import Testing

@testable import Analytics

extension Journey.Event {
    fileprivate static func basketOpened(items: Int, isGuest: Bool) -> Self {
        Journey.Event(name: "basketOpened", properties: ["itemCount": .int(items), "isGuest": .bool(isGuest)])
    }
}

@Suite struct GoogleAnalyticsServiceTests {
    private let adapter = MockGoogleAnalyticsAdapter()
    private let service: any AnalyticsService
    private let snakeCase: any AnalyticsService

    init() {
        service = GoogleAnalyticsService(adapter: adapter)
        snakeCase = GoogleAnalyticsService(adapter: adapter, names: .snakeCase)
    }

    @Test func `a step reaches the adapter under its own name and keys, with Google's values`() {
        let adapter = MockGoogleAnalyticsAdapter()
        let service = GoogleAnalyticsService(adapter: adapter)

        service.send(event: Journey.Event(name: "basketOpened", properties: ["itemCount": 2, "isGuest": true]))

        adapter.expect([GoogleEvent("basketOpened", ["itemCount": 2, "isGuest": 1])])
    }

    @Test func `in snake case, names and keys comply with Google's rules`() {
        snakeCase.send(event: .basketOpened(items: 2, isGuest: true))

        adapter.expect([GoogleEvent("basket_opened", ["item_count": 2, "is_guest": 1])])
    }

    @Test func `an SDK's class is an adapter`() {
        let sdk = GoogleSDK()

        GoogleAnalyticsService(adapter: sdk).send(event: .basketOpened(items: 2, isGuest: true))

        #expect(sdk.events == ["basketOpened isGuest 1 itemCount 2"])
    }

    @Test(
        arguments: [
            ("Basket Opened", "basket_opened"), ("basketOpened", "basket_opened"), ("basket_opened", "basket_opened"),
            ("productID", "product_id"), ("search - results/all", "search_results_all"), ("step2Done", "step2_done"),
            (" _x_ ", "x"), ("", ""), ("ürün Açıldı", "ürün_açıldı"), ("HTTPError", "httperror"),
        ]
    )
    func `names become snake case`(name: String, sent: String) {
        snakeCase.send(event: Journey.Event(name: name))

        #expect(adapter.events.map(\.name) == [sent])
    }

    @Test func `two spellings of one key are both kept`() {
        snakeCase.send(event: Journey.Event(name: "e", properties: ["productID": 1, "product_id": 2, "productId": 3]))

        #expect(adapter.events[0].properties == ["productID": 1, "product_id": 2, "productId": 3])
    }

    @Test func `a sensitive property keeps its policy under Google's name`() {
        let mail = Sensitive("ali@example.com")

        snakeCase.send(event: Journey.Event(name: "e", properties: .sensitive(mail, as: "userMail", .pass(.analytics))))

        adapter.expect([GoogleEvent("e", .sensitive(mail, as: "user_mail", .pass(.analytics)))])
    }

    @Test func `Booleans in lists and objects become numbers, too`() {
        snakeCase.send(event: Journey.Event(name: "e", properties: ["items": [["isGift": true, "price": 1.5]]]))

        #expect(adapter.events[0].properties == ["items": [["is_gift": 1, "price": 1.5]]])
    }

    @Test func `steps arrive in the order in which they were sent`() {
        for number in 0..<100 { service.send(event: Journey.Event(name: "e\(number)")) }

        #expect(adapter.events.map(\.name) == (0..<100).map { "e\($0)" })
    }
}

/// A replacement of an SDK's class, with a method that takes a dictionary of any values.
private final class GoogleSDK: Sendable {
    private let log = Mutex<[String]>([])

    var events: [String] { log.withLock { $0 } }

    func trackEvent(with name: String, properties: [String: Any]) {
        let properties = properties.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        log.withLock { $0.append(([name] + properties).joined(separator: " ")) }
    }
}

extension GoogleSDK: GoogleAnalyticsAdapter {
    func trackEvent(with name: String, properties: EventParameters) {
        trackEvent(with: name, properties: properties.dictionary)
    }
}

@Suite struct SnakeCaseTests {
    @Test(arguments: [
        ("Basket Opened", "basket_opened"), ("basketOpened", "basket_opened"), ("basket_opened", "basket_opened"),
        ("HTTPError", "httperror"), ("item2Viewed", "item2_viewed"), ("  a -- b/c: ", "a_b_c"), ("", ""), ("__", ""),
        ("fiyatDeğişti", "fiyat_değişti"), ("ÖdemeSeçildi", "ödeme_seçildi"),
    ])
    func `words are lower case and joined by one underscore`(text: String, name: String) {
        #expect(SnakeCase.name(text) == name)
    }

    @Test(arguments: ["Basket Opened", "item2Viewed", "a/b:c"])
    func `a name in snake case is not changed`(text: String) {
        let name = SnakeCase.name(text)

        #expect(SnakeCase.name(name) == name)
    }
}
