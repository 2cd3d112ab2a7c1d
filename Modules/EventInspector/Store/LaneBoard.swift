import LoopbackCollector

/// How the lanes stand: what their senders tell, and what the receiver has counted.
struct LaneBoard: Sendable {
    private struct Arrivals: Sendable {
        var taken = 0
        var refused = 0
    }

    private var states: [String: CollectedValue] = [:]
    private var arrivals: [String: Arrivals] = [:]

    /// Counts an event that has arrived; what is answered by 300 or more, or not at all, is refused.
    mutating func count(service: String, product: String?, status: Int?) {
        let lane = "\(product ?? "?")/\(service)"
        if let status, status < 300 {
            arrivals[lane, default: Arrivals()].taken += 1
        } else {
            arrivals[lane, default: Arrivals()].refused += 1
        }
    }

    /// Counts for a product what was counted before the product was known.
    mutating func move(_ counted: (taken: Int, refused: Int), of service: String, to product: String) {
        arrivals["?/\(service)"]?.taken -= counted.taken
        arrivals["?/\(service)"]?.refused -= counted.refused
        arrivals["\(product)/\(service)", default: Arrivals()].taken += counted.taken
        arrivals["\(product)/\(service)", default: Arrivals()].refused += counted.refused
    }

    /// Notes what a sender tells of a lane.
    mutating func set(_ lane: SenderReport.Lane, _ state: CollectedValue) {
        states["\(lane.product)/\(lane.service)"] = state
    }

    /// Forgets what has been counted; what senders tell stays.
    mutating func forgetArrivals() {
        arrivals = [:]
    }

    /// The lanes in the order of their names: what the receiver has counted, and under `sender` what the sender tells.
    var json: String {
        var json = JSONText()
        json.array { json in
            let counted = arrivals.filter { $0.value.taken + $0.value.refused > 0 }
            for name in Set(states.keys).union(counted.keys).sorted() {
                json.object { json in
                    json.member("lane", name)
                    json.member("taken", arrivals[name]?.taken ?? 0)
                    json.member("refused", arrivals[name]?.refused ?? 0)
                    if let state = states[name] {
                        json.key("sender")
                        json.raw(state.json)
                    }
                }
            }
        }
        return json.text
    }
}
