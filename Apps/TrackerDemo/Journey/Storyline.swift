/// What the screens of one product have shown, in order.
struct Storyline: Sendable, Equatable {
    /// The product.
    let product: Product
    /// A few words for each thing that was shown.
    var scenes: [String] = []
}
