extension TYProduct {
    /// A product with all optional fields and one without any, for the examples of tracking plans.
    public static let examples = [
        TYProduct(
            id: "1004856",
            category: "electronics.audio.music_tools.piano.digital",
            brand: "yamaha",
            merchantID: "m-7",
            listPrice: 149.9,
            price: 130.76,
            currency: "TRY"
        ),
        TYProduct(id: "1003461", price: 489, currency: "TRY"),
    ]
}
