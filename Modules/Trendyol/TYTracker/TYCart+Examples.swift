extension TYCart {
    /// Carts with one currency and with mixed currencies, for the examples of tracking plans.
    public static let examples = [
        TYCart(TYProduct.examples.map { Line($0, quantity: 2) }),
        TYCart([
            Line(TYProduct(id: "1", price: 10, currency: "TRY")), Line(TYProduct(id: "2", price: 9, currency: "EUR")),
        ]),
    ]
}
