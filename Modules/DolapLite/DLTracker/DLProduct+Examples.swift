extension DLProduct {
    /// A product with all optional fields and one without any, for the examples of tracking plans.
    public static let examples = [
        DLProduct(
            id: "1004856",
            category: "electronics.audio.music_tools.piano.digital",
            brand: "yamaha",
            condition: .likeNew,
            price: 130.76,
            currency: "TRY"
        ),
        DLProduct(id: "1003461", price: 489, currency: "TRY"),
    ]
}
