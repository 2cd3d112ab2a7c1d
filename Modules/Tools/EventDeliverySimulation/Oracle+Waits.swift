import EventDelivery

/// The waits requested by receivers.
extension Oracle.State {
    /// The number of decisions and erasures at the start of a request.
    ///
    /// If they change, the request is cancelled and its response is ignored.
    struct Recalls: Equatable {
        fileprivate let words: Int
        fileprivate let erasures: Int
    }

    /// Records the start of a lane's request.
    ///
    /// Returns the current number of decisions and erasures.
    mutating func beginWaiting(lane: Int, now: Int64) -> Recalls {
        if let end = lanes[lane].wait?.end, now < end { report(.waitAsked, "\(end - now) ns left on lane \(lane)") }
        return recalls(lane: lane)
    }

    /// Records the wait requested by a response.
    ///
    /// This applies only to lanes with one request at a time. After a fault, the response to an older request is
    /// ignored.
    mutating func endWaiting(_ answer: HTTPResponse, since recalls: Recalls, lane: Int, now: Int64) {
        guard Lanes.isOrdered(lane), recalls == self.recalls(lane: lane), !erasures.contains(where: \.isUnderWay),
            words[Lanes.purpose(of: lane)].denialsUnderWay == 0,
            let seconds = answer.headers["retry-after"].flatMap(Oracle.State.seconds)
        else { return }
        lanes[lane].wait = (begin: now, end: now + seconds * 1_000_000_000)
    }

    /// Removes all waits since the given time, because they may not have been stored.
    mutating func forgetWaits(since instant: Int64 = .min) {
        for lane in lanes.indices where lanes[lane].wait.map({ $0.begin >= instant }) == true { lanes[lane].wait = nil }
    }

    private func recalls(lane: Int) -> Recalls {
        Recalls(words: words[Lanes.purpose(of: lane)].count, erasures: erasures.count)
    }

    /// Returns the seconds in a header, at most one day, or `nil` if it contains a date or no number.
    private static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(text) ?? .max, 86_400)
    }
}
