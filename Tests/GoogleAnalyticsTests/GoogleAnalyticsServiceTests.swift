import AdapterTesting
import CoreTracker
import GoogleAnalytics
import Testing

extension Journey.Event {
    fileprivate static func basketOpened(items: Int, isGuest: Bool) -> Self {
        Journey.Event(name: "Basket Opened", properties: ["itemCount": .int(items), "isGuest": .bool(isGuest)])
    }
}

@Suite struct GoogleAnalyticsServiceTests {
    private let adapter = MockGoogleAnalyticsAdapter()
    private let service: any AnalyticsService

    init() {
        service = GoogleAnalyticsService(adapter: adapter)
    }

    @Test func `a step reaches the adapter with Google's names and values`() {
        service.send(event: .basketOpened(items: 2, isGuest: true))

        adapter.expect([VendorEvent(name: "basket_opened", parameters: ["item_count": 2, "is_guest": 1])])
    }

    @Test(
        arguments: [
            ("Basket Opened", "basket_opened"), ("basketOpened", "basket_opened"), ("basket_opened", "basket_opened"),
            ("productID", "product_id"), ("search - results/all", "search_results_all"), ("step2Done", "step2_done"),
            (" _x_ ", "x"), ("", ""), ("ürün Açıldı", "ürün_açıldı"), ("HTTPError", "httperror"),
        ]
    )
    func `names become snake case`(name: String, sent: String) {
        service.send(event: Journey.Event(name: name))

        #expect(adapter.events.map(\.name) == [sent])
    }

    @Test func `names stay as they are written where the app says so, and values are still Google's`() {
        let service = GoogleAnalyticsService(adapter: adapter, names: .asWritten)

        service.send(event: .basketOpened(items: 2, isGuest: true))

        adapter.expect([VendorEvent(name: "Basket Opened", parameters: ["itemCount": 2, "isGuest": 1])])
    }

    @Test func `of two spellings of one key none is lost`() {
        service.send(event: Journey.Event(name: "e", properties: ["productID": 1, "product_id": 2, "productId": 3]))

        #expect(adapter.events[0].parameters == ["productID": 1, "product_id": 2, "productId": 3])
    }

    @Test func `a sensitive property keeps its policy under Google's name`() {
        let mail = Sensitive("ali@example.com")

        service.send(event: Journey.Event(name: "e", properties: .sensitive(mail, as: "userMail", .pass(.analytics))))

        adapter.expect([VendorEvent(name: "e", parameters: .sensitive(mail, as: "user_mail", .pass(.analytics)))])
    }

    @Test func `truth values inside lists and objects become numbers too`() {
        service.send(event: Journey.Event(name: "e", properties: ["items": [["isGift": true, "price": 1.5]]]))

        #expect(adapter.events[0].parameters == ["items": [["is_gift": 1, "price": 1.5]]])
    }

    @Test func `steps arrive in the order in which they were sent`() {
        for number in 0..<100 { service.send(event: Journey.Event(name: "e\(number)")) }

        #expect(adapter.events.map(\.name) == (0..<100).map { "e\($0)" })
    }
}
