import CoreTracker
import Testing

@Suite struct FirebaseBasketTests {
    @Test func `the value is the sum of price and quantity, without the noise of fractions`() {
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

    @Test func `a price that is not a number does not trap`() {
        let basket = FirebaseBasket(items: [FirebaseItem(id: "7", price: .nan, quantity: .max)], currency: "TRY")

        #expect(basket.value.isNaN)
    }
}
