extension DLBasket {
    /// Baskets with one currency and with mixed currencies, for the examples of tracking plans.
    public static let examples = [
        DLBasket(DLProduct.examples.map { Line($0, quantity: 2) }),
        DLBasket([
            Line(DLProduct(id: "1", price: 10, currency: "TRY")), Line(DLProduct(id: "2", price: 9, currency: "AZN")),
        ]),
    ]
}
