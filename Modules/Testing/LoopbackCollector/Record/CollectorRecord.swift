import Locks

/// The recorded requests and counts of a collector, and the tasks that wait for them.
final class CollectorRecord: Sendable {
    private struct Waiter {
        let number: Int
        let condition: @Sendable (CollectorTally) -> Bool
        let continuation: CheckedContinuation<CollectorTally, Never>
    }

    private struct State {
        var tally = CollectorTally()
        var stored: [(request: CollectedRequest, isStored: Bool)] = []
        var ids: [String: IDSet] = [:]
        var waiters: [Waiter] = []
        var nextWaiter = 0
        var isClosed = false
    }

    private let services: [CollectorService]
    private let keepsRequests: Bool
    private let idBound: Int
    private let state = Mutex(State())

    /// Creates an empty record.
    init(services: [CollectorService], retention: LoopbackCollector.Retention) {
        self.services = services
        keepsRequests = retention == .everything
        idBound = if case .latestIDs(let count) = retention { count } else { .max }
    }

    /// The current counts.
    var tally: CollectorTally { state.withLock(\.tally) }

    /// The recorded requests, in the order of arrival.
    var requests: [CollectedRequest] { state.withLock { $0.stored.map(\.request) } }

    /// The recorded requests whose events are stored, in the order of arrival.
    var storedRequests: [CollectedRequest] { state.withLock { $0.stored.filter(\.isStored).map(\.request) } }

    /// Returns whether a service has a stored event with an id.
    func contains(_ id: String, of service: CollectorService) -> Bool {
        state.withLock { $0.ids[service.name]?.contains(id) ?? false }
    }

    /// Returns the service of a request, if any.
    func service(of head: CollectedHead) -> CollectorService? {
        services.service(for: head)
    }

    /// Changes the counts, and resumes the waiters whose condition is satisfied.
    func count(_ change: (inout CollectorTally) -> Void) {
        update { change(&$0.tally) }
    }

    /// Records a request.
    ///
    /// It is called before the response is written.
    ///
    /// Event ids are read before the lock is acquired.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - isStored: Whether the events of the request count as stored.
    func record(_ request: CollectedRequest, isStored: Bool) {
        let service = service(of: request.head)
        let ids = service.map { EventReader.ids(in: request.body, of: $0) }
        update { state in
            state.tally.requests += 1
            state.tally.bodyBytes += request.rawBody.count
            if keepsRequests { state.stored.append((request, isStored)) }
            guard let service, let ids else { return }
            state.tally.services[service.name, default: ServiceTally()].requests += 1
            guard let ids else {
                state.tally.services[service.name, default: ServiceTally()].unreadableBodies += 1
                return
            }
            count(ids, of: service.name, isStored: isStored, in: &state)
        }
    }

    /// Waits until the counts satisfy a condition, the record is closed, or the task is cancelled.
    ///
    /// - Parameter condition: The condition to wait for.
    /// - Returns: The counts at the end of the wait.
    func tally(when condition: @escaping @Sendable (CollectorTally) -> Bool) async -> CollectorTally {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let tally = state.withLock { state -> CollectorTally? in
                    if state.isClosed || Task.isCancelled || condition(state.tally) { return state.tally }
                    state.waiters.append(Waiter(number: number, condition: condition, continuation: continuation))
                    return nil
                }
                if let tally { continuation.resume(returning: tally) }
            }
        } onCancel: {
            resume { $0.number == number }
        }
    }

    /// Resumes all waiters.
    func close() {
        state.withLock { $0.isClosed = true }
        resume { _ in true }
    }

    private func count(_ ids: [String], of service: String, isStored: Bool, in state: inout State) {
        var tally = state.tally.services[service] ?? ServiceTally()
        tally.arrivals += ids.count
        if isStored {
            for id in ids {
                let isNew = id.isEmpty || state.ids[service, default: IDSet(bound: idBound)].insert(id)
                if isNew { tally.uniqueEvents += 1 } else { tally.duplicates += 1 }
            }
        } else {
            tally.refused += ids.count
        }
        state.tally.services[service] = tally
    }

    private func update(_ change: (inout State) -> Void) {
        let (ready, tally) = state.withLock { state in
            change(&state)
            let ready = state.waiters.filter { $0.condition(state.tally) }
            state.waiters.removeAll { waiter in ready.contains { $0.number == waiter.number } }
            return (ready, state.tally)
        }
        for waiter in ready { waiter.continuation.resume(returning: tally) }
    }

    private func resume(_ isMeant: (Waiter) -> Bool) {
        let (ready, tally) = state.withLock { state in
            let ready = state.waiters.filter(isMeant)
            state.waiters.removeAll(where: isMeant)
            return (ready, state.tally)
        }
        for waiter in ready { waiter.continuation.resume(returning: tally) }
    }
}
