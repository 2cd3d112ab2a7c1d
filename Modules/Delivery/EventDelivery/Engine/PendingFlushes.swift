import EventDeliveryAPI

/// The flushes that wait until events are delivered or counted.
struct PendingFlushes {
    private var tickets: [FlushTicket] = []

    /// Whether the events of some flush are not determined yet.
    var hasNew: Bool { tickets.contains { $0.targets == nil } }

    /// Adds a flush.
    mutating func add(_ ticket: FlushTicket) { tickets.append(ticket) }

    /// Sets the sequence number below which each lane's events must be settled, for all new flushes.
    func start(_ targets: [Int: Int64]) {
        for ticket in tickets where ticket.targets == nil { ticket.targets = targets }
    }

    /// Ends the flushes whose events are settled, and removes all ended flushes.
    ///
    /// A flush waits for the due probe of a paused lane.
    ///
    /// - Parameters:
    ///   - lanes: The lanes, or `nil` while the outbox is not open.
    ///   - now: The current time.
    mutating func complete(_ lanes: [LaneQueue]?, at now: @autoclosure () -> MonotonicInstant) {
        guard !tickets.isEmpty else { return }
        let now = now()
        tickets.removeAll { ticket in
            guard let targets = ticket.targets, !ticket.isEnded else { return ticket.isEnded }
            guard let lanes else { return false }
            let isComplete = targets.allSatisfy { index, target in
                let status = lanes[index].status
                let outcome = status.outcome(target: target, isOpen: true, deadline: ticket.deadline)
                if case .paused = outcome, let due = status.notBefore { return due > now }
                return outcome != .timedOut
            }
            if isComplete { ticket.end() }
            return isComplete
        }
    }

    /// Ends all flushes.
    mutating func endAll() {
        for ticket in tickets { ticket.end() }
        tickets = []
    }
}
