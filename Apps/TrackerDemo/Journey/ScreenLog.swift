/// The recorded screen calls of one product, in order.
struct ScreenLog: Sendable, Equatable {
    /// The product.
    let product: Product
    /// A short text for each call.
    var scenes: [String] = []
}
