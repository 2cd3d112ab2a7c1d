/// A product of the demo.
///
/// The raw value is its prefix.
enum Product: String, CaseIterable, Sendable {
    case dolapLite = "DL"
    case trendyol = "TY"

    /// The product's name.
    var name: String {
        switch self {
        case .dolapLite: "Dolap Lite"
        case .trendyol: "Trendyol"
        }
    }

    /// Returns the product for a session of a clickstream, by a hash of its id (FNV-1a) that is the same in every run.
    static func of(session: String) -> Product {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in session.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        // The upper bits of a short text's hash hardly vary. Multiply to spread the lower bits over them.
        hash = (hash ^ hash >> 33) &* 0x9E37_79B9_7F4A_7C15
        return hash >> 63 == 0 ? .dolapLite : .trendyol
    }
}
