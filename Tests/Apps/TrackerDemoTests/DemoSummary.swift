/// The demo's output with `--json`.
struct DemoSummary: Decodable, Sendable {
    /// The figures of one lane.
    struct Lane: Decodable, Sendable {
        let product: String
        let service: String
        let accepted: Int
        let delivered: Int
        let pending: Int
        let quarantined: Int
        let dropped: [String: Int]
        let carriedOver: Int
        let repaired: [String: Int]
    }

    let rows: Int
    let malformed: Int
    let eventTypes: [String: Int]
    let lanes: [Lane]
    let collector: [String: Int]?

    /// Returns the sum of a figure over the lanes of a service, or over all lanes.
    func total(_ figure: (Lane) -> Int, of service: String? = nil) -> Int {
        lanes.filter { service == nil || $0.service == service }.reduce(0) { $0 + figure($1) }
    }
}
