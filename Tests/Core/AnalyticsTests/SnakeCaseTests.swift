import Testing

@testable import Analytics

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
    func `a name in snake case stays as it is`(text: String) {
        let name = SnakeCase.name(text)

        #expect(SnakeCase.name(name) == name)
    }
}
