import CoreTracker
import EventDelivery

/// The receivers' observations.
extension Oracle.State {
    /// Records the start of a request.
    ///
    /// Returns its number.
    mutating func begin(lane: Int, batch: String, body: [UInt8], _ lines: [Line?]) -> Int {
        requests += 1
        let purpose = Lanes.purpose(of: lane)
        if words[purpose].last == .denied, words[purpose].hasReturned { report(.consentSending, "lane \(lane)") }
        if words[purpose].last == .unknown, words[purpose].hasReturned, words[purpose].count > 0 {
            report(.consentHeld, "lane \(lane)")
        }
        if hasClosed { report(.closed, "lane \(lane)") }
        if isSuspended { report(.suspended, "a request on lane \(lane)") }
        if lanes[lane].isHeld { report(.held, "lane \(lane)") }
        if lanes[lane].underWay.count >= Lanes.inFlight(of: lane) {
            report(.oneRequest, "\(lanes[lane].underWay.count + 1) on lane \(lane)")
        }
        lanes[lane].underWay[requests] = lines.compactMap { $0?.number }
        if let known = bodies[batch], known != body { report(.identicalRetry, "lane \(lane)") }
        bodies[batch] = body
        checkOrder(of: lanes[lane].underWay[requests] ?? [], lane: lane)
        for line in lines { check(line, lane: lane) }
        if Lanes.isKeyed(lane), Set(lines.map { $0?.user }).count > 1 { report(.oneUser, "lane \(lane)") }
        // The response is ignored if an erasure dissolves the batch, or if the storage is suspended.
        let numbers = lanes[lane].underWay[requests] ?? []
        if suspension.isPossible || numbers.contains(where: mayBeErased) {
            for number in numbers where events.indices.contains(number) { events[number].mayBeSentAgain = true }
        }
        return requests
    }

    private mutating func check(_ line: Line?, lane: Int) {
        guard let line, events.indices.contains(line.number), events[line.number].lane == lane else {
            return report(.knownEvent, "lane \(lane)")
        }
        let event = events[line.number]
        if event.isSwitchedOff { report(.switchedOff, "event \(line.number)") }
        if !event.id.isEmpty, event.id != line.id { report(.stableID, "event \(line.number) has two") }
        if let other = serials[line.id], other != line.number { report(.stableID, "two events have one") }
        serials[line.id] = line.number
        events[line.number].id = line.id
        if line.user != event.user { report(.user, "\(line.user) instead of \(event.user)") }
        if let session = event.session { check(session, named: line.session) }
        noteSample(of: line.number, isIncluded: true)
        if let known = installations[line.device], known != event.installation, event.life == life {
            report(.installation, "event \(line.number)")
        }
        if event.life == life { installations[line.device] = event.installation }
        if !hasFailed, let other = lanes[lane].numbers[line.sequence], other != line.number {
            report(.sequence, "\(line.sequence) on lane \(lane)")
        }
        lanes[lane].numbers[line.sequence] = line.number
        if line.number < words[Lanes.purpose(of: lane)].refused { report(.consentRevived, "event \(line.number)") }
        if event.isErased || isRefusedErasure(line.number) { report(.erasureRevived, "event \(line.number)") }
        // Until a denial has returned, a request may start with events covered by it.
        let isRefused = event.sends > 0 || !words[Lanes.purpose(of: lane)].hasReturned
        // A commit that failed, and was discarded when the directory was released or closed, may have reached the disk.
        let isUnsure = event.receipt == .dropped(.bufferFull) && event.mayBeSentAgain
        if case .dropped(let reason) = event.receipt, reason != .consentDenied || !isRefused,
            ![.closed, .storageFull].contains(reason), !isUnsure
        {
            report(.receiptLost, "\(reason)")
        }
        let isSettled = event.isAcknowledged && event.excuse == nil && !event.mayBeSentAgain
        if isSettled, event.life == life { report(.sentOnce, "event \(line.number)") }
        events[line.number].sends += 1
    }

    /// Records the end of a request, with or without a response.
    mutating func end(_ request: Int, lane: Int) {
        guard let numbers = lanes[lane].underWay.removeValue(forKey: request) else { return }
        lanes[lane].ended = lanes[lane].ended.suffix(Lanes.inFlight(of: lane) - 1) + [numbers]
    }

    /// Records that events may be sent again although they have arrived, or may be lost.
    mutating func excuse(_ numbers: [Int], _ reason: String) {
        for number in numbers where events.indices.contains(number) {
            events[number].excuse = events[number].excuse ?? reason
        }
    }

    /// Records that events have arrived.
    mutating func arrive(_ numbers: [Int]) {
        for number in numbers where events.indices.contains(number) { events[number].hasArrived = true }
    }

    /// Records the acknowledgement of events, as received by the app.
    mutating func acknowledge(_ numbers: [Int], lane: Int) {
        for number in numbers where events.indices.contains(number) { events[number].isAcknowledged = true }
        settle(numbers.filter(events.indices.contains), lane: lane)
    }

    /// Records the refusal of events, as received by the app.
    mutating func refuse(_ numbers: [Int]) {
        for number in numbers where events.indices.contains(number) { events[number].isRefused = true }
    }
}
