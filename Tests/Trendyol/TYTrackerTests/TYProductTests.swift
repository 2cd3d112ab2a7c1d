import CoreTracker
import TYTracker
import Testing

@Suite struct TYProductTests {
    @Test func `AwesomeTracking describes a product by Trendyol's own names`() {
        let product = TYProduct(
            id: "7",
            category: "apparel.shoes",
            brand: "aqua",
            merchantID: "m-1",
            listPrice: 40,
            price: 35.79,
            currency: "TRY"
        )

        #expect(
            product.awesomeTrackingParameters == [
                "content_id": "7", "merchant_id": "m-1", "brand_name": "aqua", "category_path": "apparel>shoes",
                "sale_price": 35.79, "list_price": 40.0, "currency": "TRY",
            ]
        )
    }

    @Test func `missing fields of a product are omitted`() {
        let product = TYProduct(id: "7", category: "", brand: "", merchantID: "", price: 35.79, currency: "TRY")

        #expect(product.awesomeTrackingParameters == ["content_id": "7", "sale_price": 35.79, "currency": "TRY"])
    }
}

@Suite struct TYCartTests {
    private let boiler = TYProduct(
        id: "7",
        category: "appliances.environment.water_heater",
        brand: "aqua",
        merchantID: "m-1",
        listPrice: 35.3,
        price: 33.2,
        currency: "TRY"
    )

    @Test func `Firebase gets currency, value and items with merchant and discount`() {
        let cart = TYCart([TYCart.Line(boiler, quantity: 3)])

        #expect(
            cart.firebaseParameters == [
                "currency": "TRY", "value": 99.6,
                "items": [
                    [
                        "item_id": "7", "item_brand": "aqua", "item_category": "appliances",
                        "item_category2": "environment", "item_category3": "water_heater", "affiliation": "m-1",
                        "price": 33.2, "discount": 2.1, "quantity": 3,
                    ]
                ],
            ]
        )
    }

    @Test func `AwesomeTracking gets the total and short contents`() {
        let cart = TYCart(boiler, quantity: 3)

        #expect(
            cart.awesomeTrackingParameters == [
                "cart_total": 99.6, "currency": "TRY",
                "contents": [["content_id": "7", "merchant_id": "m-1", "sale_price": 33.2, "count": 3]],
            ]
        )
    }

    @Test func `prices in several currencies have no total`() {
        let foreign = TYProduct(id: "8", price: 1, currency: "EUR")
        let cart = TYCart([TYCart.Line(boiler), TYCart.Line(foreign)])

        #expect(cart.currency == nil)
        #expect(cart.firebaseParameters.map(\.key) == ["items"])
        #expect(cart.awesomeTrackingParameters.map(\.key) == ["contents"])
    }

    @Test(arguments: [0, -1, .min])
    func `a quantity below one counts as one`(quantity: Int) {
        #expect(TYCart(boiler, quantity: quantity).lines.map(\.quantity) == [1])
    }
}
