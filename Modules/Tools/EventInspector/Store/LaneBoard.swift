import LoopbackCollector

/// The states of the lanes, from the senders' reports and the receiver's counts.
struct LaneBoard: Sendable {
    private struct Arrivals: Sendable {
        var taken = 0
        var refused = 0
    }

    private var states: [String: CollectedValue] = [:]
    private var arrivals: [String: Arrivals] = [:]

    /// Counts an arrived event.
    ///
    /// An event counts as refused if its response has a status of 300 or more, or is missing.
    mutating func count(service: String, product: String?, status: Int?) {
        let lane = "\(product ?? "?")/\(service)"
        if let status, status < 300 {
            arrivals[lane, default: Arrivals()].taken += 1
        } else {
            arrivals[lane, default: Arrivals()].refused += 1
        }
    }

    /// Moves counts to a product after it has become known.
    mutating func move(_ counted: (taken: Int, refused: Int), of service: String, to product: String) {
        arrivals["?/\(service)"]?.taken -= counted.taken
        arrivals["?/\(service)"]?.refused -= counted.refused
        arrivals["\(product)/\(service)", default: Arrivals()].taken += counted.taken
        arrivals["\(product)/\(service)", default: Arrivals()].refused += counted.refused
    }

    /// Sets a lane's state as reported by a sender.
    mutating func set(_ lane: SenderReport.Lane, _ state: CollectedValue) {
        states["\(lane.product)/\(lane.service)"] = state
    }

    /// Removes the receiver's counts.
    ///
    /// The senders' reports stay.
    mutating func removeArrivals() {
        arrivals = [:]
    }

    /// The lanes as JSON, ordered by name.
    ///
    /// The member `sender` contains the sender's report.
    var json: String {
        var json = JSONBuilder()
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
