import CoreTracker
import Testing

@testable import Analytics

@Suite struct GoogleEventTests {
    @Test(
        arguments: [
            ("Basket Opened", "basket_opened"), ("basketOpened", "basket_opened"), ("basket_opened", "basket_opened"),
            ("productID", "product_id"), ("search - results/all", "search_results_all"), ("step2Done", "step2_done"),
            (" _x_ ", "x"), ("", ""), ("ürün Açıldı", "ürün_açıldı"), ("HTTPError", "httperror"),
        ]
    )
    func `names become snake case`(name: String, sent: String) {
        #expect(snakeCase(name: name).name == sent)
    }

    @Test func `two spellings of one key are both kept`() {
        let event = snakeCase(["productID": 1, "product_id": 2, "productId": 3])

        #expect(event.properties == ["productID": 1, "product_id": 2, "productId": 3])
    }

    @Test func `a sensitive property keeps its policy under Google's name`() {
        let mail = Sensitive("ali@example.com")

        let event = snakeCase(.sensitive(mail, as: "userMail", policy: .pass(.analytics)))

        #expect(event.properties == .sensitive(mail, as: "user_mail", policy: .pass(.analytics)))
    }

    @Test func `Booleans in lists and objects become numbers, too`() {
        let event = snakeCase(["items": [["isGift": true, "price": 1.5]]])

        #expect(event.properties == ["items": [["is_gift": 1, "price": 1.5]]])
    }

    private func snakeCase(name: String = "e", _ properties: EventParameters = [:]) -> GoogleEvent {
        GoogleEvent(Journey.Event(name: name, properties: properties), names: .snakeCase)
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
