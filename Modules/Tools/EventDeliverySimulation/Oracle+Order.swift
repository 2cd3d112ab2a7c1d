/// The promised order of an ordered lane; see `OrderOfDelivery.md` of EventDelivery.
extension Oracle.State {
    /// The number of attempts after which a lane may pass over an event refused without a reason.
    private static let attempts = 5

    /// Checks that the events of a request are next.
    ///
    /// An event is overtaken if a later one is sent while it is not settled. It must not be sent again afterwards. The
    /// oracle does not always know whether an event is settled, because a lane ignores some responses. An event that is
    /// never sent again is therefore not reported here.
    ///
    /// - Parameters:
    ///   - numbers: The events of the request.
    ///   - lane: The lane.
    mutating func checkOrder(of numbers: [Int], lane: Int) {
        let numbers = numbers.filter { events.indices.contains($0) && events[$0].lane == lane }
        guard Lanes.isOrdered(lane), let last = numbers.max() else { return }
        let own = Set(numbers)
        let others = lanes[lane].unsettled.filter { $0 < last && !own.contains($0) }
        let isComparing = others.contains { events[$0].isPassed }
        for other in others where !isSettledForNow(other) {
            let isTried = isComparing || events[other].sends >= Self.attempts
            if events[other].isUnexplained, isTried {
                events[other].isPassed = true
            } else {
                events[other].isOvertaken = true
            }
        }
        for (earlier, later) in zip(numbers, numbers.dropFirst())
        where later < earlier && !events[later].isPutBack && !events[earlier].isPutBack {
            report(.order, "\(later) follows \(earlier) in a request")
        }
        for number in numbers where !events[number].isPutBack {
            if events[number].isOvertaken { report(.order, "\(number) again after a later event") }
            guard events[number].sends == 0 else { continue }
            let first = lanes[lane].lastSent[events[number].life] ?? -1
            if number < first, !mayReturn(number) { report(.order, "\(number) after \(first)") }
            lanes[lane].lastSent[events[number].life] = max(first, number)
        }
        for number in numbers {
            (events[number].isUnexplained, events[number].isPassed, events[number].isOvertaken) = (false, false, false)
        }
        lanes[lane].unsettled.formUnion(numbers)
    }

    /// Whether a lane has settled an event, unless it ignored the response or could not store the result.
    private func isSettledForNow(_ number: Int) -> Bool {
        let event = events[number]
        return event.mayBeSentAgain && (event.isAcknowledged || event.isRefused && !event.isUnexplained)
    }

    /// Whether an event may return with a start, because the disk may have refused its denial until the process ended.
    ///
    /// If the user has agreed again meanwhile, later events may be sent before it.
    private func mayReturn(_ number: Int) -> Bool {
        let event = events[number]
        return event.life < life && words[Lanes.purpose(of: event.lane)].count > event.word
    }

    /// Records that a lane has received an acknowledgement of events.
    ///
    /// If the lane has passed over earlier events, they are refused now and must not be sent again.
    ///
    /// - Parameters:
    ///   - numbers: The events.
    ///   - lane: The lane.
    mutating func settle(_ numbers: [Int], lane: Int) {
        let settled = numbers.filter { !events[$0].mayBeSentAgain }
        lanes[lane].unsettled.subtract(settled)
        guard let last = settled.max() else { return }
        for number in lanes[lane].unsettled where number < last && events[number].isPassed {
            events[number].isOvertaken = true
        }
    }
}
