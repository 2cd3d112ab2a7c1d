import CoreTracker
import DLTracker
import Testing

@Suite struct DLProductTests {
    @Test func `AwesomeTracking describes a product by Dolap Lite's own names`() {
        let product = DLProduct(
            id: "7",
            category: "apparel.shoes",
            brand: "aqua",
            condition: .likeNew,
            price: 35.79,
            currency: "TRY"
        )

        #expect(
            product.awesomeTrackingParameters == [
                "item_id": "7", "category": "apparel.shoes", "brand": "aqua", "condition": "like_new", "price": 35.79,
                "currency": "TRY",
            ]
        )
    }

    @Test func `missing fields of a product are omitted`() {
        let product = DLProduct(id: "7", category: "", brand: "", price: 35.79, currency: "TRY")

        #expect(product.awesomeTrackingParameters == ["item_id": "7", "price": 35.79, "currency": "TRY"])
        #expect(product.firebaseItem(at: 2) == ["item_id": "7", "price": 35.79, "quantity": 1, "index": 2])
    }
}

@Suite struct DLBasketTests {
    private let boiler = DLProduct(
        id: "7",
        category: "appliances.environment.water_heater",
        brand: "aqua",
        condition: .used,
        price: 33.2,
        currency: "TRY"
    )

    @Test func `Firebase gets currency, value and items with one category per level`() {
        let basket = DLBasket([DLBasket.Line(boiler, quantity: 3)])

        #expect(
            basket.firebaseParameters == [
                "currency": "TRY", "value": 99.6,
                "items": [
                    [
                        "item_id": "7", "item_brand": "aqua", "item_category": "appliances",
                        "item_category2": "environment", "item_category3": "water_heater", "item_variant": "used",
                        "price": 33.2, "quantity": 3,
                    ]
                ],
            ]
        )
    }

    @Test func `AwesomeTracking gets the total and short items`() {
        let basket = DLBasket(boiler, quantity: 3)

        #expect(
            basket.awesomeTrackingParameters == [
                "total": 99.6, "currency": "TRY", "items": [["item_id": "7", "price": 33.2, "quantity": 3]],
            ]
        )
    }

    @Test func `prices in several currencies have no total`() {
        let foreign = DLProduct(id: "8", price: 1, currency: "AZN")
        let basket = DLBasket([DLBasket.Line(boiler), DLBasket.Line(foreign)])

        #expect(basket.currency == nil)
        #expect(basket.firebaseParameters.map(\.key) == ["items"])
        #expect(basket.awesomeTrackingParameters.map(\.key) == ["items"])
    }

    @Test(arguments: [0, -1, .min])
    func `a quantity below one counts as one`(quantity: Int) {
        #expect(DLBasket(boiler, quantity: quantity).lines.map(\.quantity) == [1])
    }
}
