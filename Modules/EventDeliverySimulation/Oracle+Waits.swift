import EventDelivery

/// What receivers ask a lane to wait.
extension Oracle.State {
    /// What makes a request one that is called back, so that its answer counts for nothing.
    struct Recalls: Equatable {
        fileprivate let words: Int
        fileprivate let erasures: Int
    }

    /// Notes that a lane sends now; returns what has been said and erased by then.
    mutating func beginWaiting(lane: Int, now: Int64) -> Recalls {
        if let end = lanes[lane].wait?.end, now < end { report(.waitAsked, "\(end - now) ns left on lane \(lane)") }
        return recalls(lane: lane)
    }

    /// Notes the wait that an answer asks for.
    ///
    /// Only where one request at a time is under way: the answer to an older one is no news after a fault.
    mutating func endWaiting(_ answer: HTTPResponse, since recalls: Recalls, lane: Int, now: Int64) {
        guard Lanes.isOrdered(lane), recalls == self.recalls(lane: lane), !erasures.contains(where: \.isUnderWay),
            words[Lanes.purpose(of: lane)].denialsUnderWay == 0,
            let seconds = answer.headers["retry-after"].flatMap(Oracle.State.seconds)
        else { return }
        lanes[lane].wait = (begin: now, end: now + seconds * 1_000_000_000)
    }

    /// Forgets the waits that were asked for since an instant: nobody knows whether they were stored.
    mutating func forgetWaits(since instant: Int64 = .min) {
        for lane in lanes.indices where lanes[lane].wait.map({ $0.begin >= instant }) == true { lanes[lane].wait = nil }
    }

    private func recalls(lane: Int) -> Recalls {
        Recalls(words: words[Lanes.purpose(of: lane)].count, erasures: erasures.count)
    }

    /// The seconds that a header names, at most a day; `nil` where it names a date or nothing.
    private static func seconds(_ text: String) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return min(Int64(text) ?? .max, 86_400)
    }
}
