import CoreTracker
import Testing

@Suite struct FirebaseItemTests {
    @Test func `an item carries GA4's names in the reference's types`() {
        let item = FirebaseItem(
            id: "7",
            brand: "aqua",
            categories: ["apparel", "shoes"],
            variant: "used",
            affiliation: "m-1",
            price: 33.2,
            discount: 2.1,
            quantity: 3,
            index: 4
        )

        #expect(
            item.parameters == [
                "item_id": "7", "item_brand": "aqua", "item_category": "apparel", "item_category2": "shoes",
                "item_variant": "used", "affiliation": "m-1", "price": 33.2, "discount": 2.1, "quantity": 3, "index": 4,
            ]
        )
    }

    @Test func `missing values of an item are left out`() {
        #expect(FirebaseItem(id: "7", price: 33.2).parameters == ["item_id": "7", "price": 33.2, "quantity": 1])
    }

    @Test func `a sixth category is left out`() {
        let item = FirebaseItem(id: "7", categories: ["a", "b", "c", "d", "e", "f"], price: 1)

        #expect(item.parameters["item_category5"] == "e")
        #expect(!item.parameters.contains { $0.value == "f" })
    }
}

@Suite struct FirebaseBasketTests {
    @Test func `the value is the sum of price times quantity, without floating-point errors`() {
        let basket = FirebaseBasket(
            items: [FirebaseItem(id: "7", price: 0.1, quantity: 3), FirebaseItem(id: "8", price: 0.2)],
            currency: "TRY"
        )

        #expect(basket.value == 0.5)
    }

    @Test func `currency and value go together, or not at all`() {
        let item = FirebaseItem(id: "7", price: 2.5)

        #expect(
            FirebaseBasket(items: [item], currency: "TRY").parameters == [
                "currency": "TRY", "value": 2.5, "items": [.object(item.parameters)],
            ]
        )
        #expect(FirebaseBasket(items: [item], currency: nil).parameters.map(\.key) == ["items"])
    }

    @Test func `a rounded amount is as finite as the amount`() {
        #expect(FirebaseBasket.rounded(1e305) == 1e305)
        #expect(FirebaseBasket.rounded(-.greatestFiniteMagnitude) == -.greatestFiniteMagnitude)
        #expect(FirebaseBasket.rounded(.infinity) == .infinity)
        #expect(FirebaseBasket.rounded(1.000_04) == 1)
    }

    @Test func `a price that is not a number does not trap`() {
        let basket = FirebaseBasket(items: [FirebaseItem(id: "7", price: .nan, quantity: .max)], currency: "TRY")

        #expect(basket.value.isNaN)
    }
}
