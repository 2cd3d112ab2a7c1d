/// What the demo prints with `--json`.
struct DemoSummary: Decodable, Sendable {
    /// One lane's figures.
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

    /// A figure summed over the lanes of a service, or of all.
    func total(_ figure: (Lane) -> Int, of service: String? = nil) -> Int {
        lanes.filter { service == nil || $0.service == service }.reduce(0) { $0 + figure($1) }
    }
}
