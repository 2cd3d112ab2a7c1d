/// The recorded screen calls of one product, in order.
struct Storyline: Sendable, Equatable {
    /// The product.
    let product: Product
    /// A short text for each call.
    var scenes: [String] = []
}
