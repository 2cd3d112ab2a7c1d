/// Someone who waits until what was tracked before has been delivered.
struct FlushWaiter {
    let number: Int
    /// The number that each lane's next event had when the flush began.
    let targets: [Int: Int64]
    let deadline: MonotonicInstant
    let continuation: CheckedContinuation<Void, Never>
}

/// How a flush finds its end.
extension DeliveryStore {
    /// The numbers up to which lanes have to be delivered for a flush that begins now.
    func flushTargets() -> [Int: Int64] {
        adoptLanes()
        var targets: [Int: Int64] = [:]
        for index in lanes.indices { targets[index] = lanes[index].stored.nextNumber }
        return targets
    }

    /// Waits until all lanes are delivered up to their targets or cannot be before the deadline.
    func waitForFlush(number: Int, targets: [Int: Int64], deadline: MonotonicInstant) async {
        // The deadline's timer may have come and gone already, and nothing else would end this wait.
        guard clock.monotonicTime() < deadline else { return }
        await withCheckedContinuation { continuation in
            flushes.append(
                FlushWaiter(number: number, targets: targets, deadline: deadline, continuation: continuation)
            )
            checkFlushes()
        }
    }

    /// Ends a flush whose deadline has passed.
    func endFlush(number: Int) {
        for flush in flushes where flush.number == number { flush.continuation.resume() }
        flushes.removeAll { $0.number == number }
    }

    func checkFlushes() {
        guard !flushes.isEmpty else { return }
        let done = flushes.filter { flush in flush.targets.allSatisfy { isSettled($0.key, target: $0.value, flush) } }
        guard !done.isEmpty else { return }
        let numbers = Set(done.map(\.number))
        flushes.removeAll { numbers.contains($0.number) }
        for flush in done { flush.continuation.resume() }
    }

    /// How a lane stands with regard to a target.
    func outcome(lane index: Int, target: Int64, now: MonotonicInstant, deadline: MonotonicInstant)
        -> FlushReport.Outcome
    {
        let lane = lanes[index]
        if isDelivered(index, target: target) { return .drained }
        guard lane.destination != nil, !isStopped else { return .unserved }
        guard lane.consent == .granted else { return .withoutConsent }
        if case .paused(let reason) = lane.gateReason { return .paused(reason) }
        if let until = lane.waitsUntil, until > deadline { return .waiting }
        return .deadlinePassed
    }

    private func isSettled(_ index: Int, target: Int64, _ flush: FlushWaiter) -> Bool {
        let now = clock.monotonicTime()
        return outcome(lane: index, target: target, now: now, deadline: flush.deadline) != .deadlinePassed
    }

    private func isDelivered(_ index: Int, target: Int64) -> Bool {
        let lane = lanes[index]
        // While neither disk nor memory has room, events wait in the intake, and have no number yet.
        guard hasRoom || intake.books[index].unstored == 0 else { return false }
        guard lane.usage.totalEvents + lane.usage.heldEvents > 0 else { return true }
        guard !isStopped else { return false }
        guard lane.usage.heldEvents == 0 || lane.consent != .unknown else { return false }
        do throws(OutboxError) {
            return try head(lane: index).map { $0.place.number >= target } ?? true
        } catch {
            return false
        }
    }
}
