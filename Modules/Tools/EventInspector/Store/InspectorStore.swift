import Locks
import LoopbackCollector

/// The store of the inspector, which all threads of the collector use.
final class InspectorStore: Sendable {
    /// The maximum number of rows.
    static let capacity = 50_000

    private let state: Mutex<InspectorState>
    private let faults = Mutex<[Fault]>([])
    /// The number of times all streams were closed.
    ///
    /// Streams opened before the latest time must end.
    private let cuts = Mutex(0)

    /// Creates an empty store.
    init(plan: InspectorPlan, capacity: Int = InspectorStore.capacity) {
        state = Mutex(InspectorState(plan: plan, capacity: capacity))
    }

    /// Records the events of a request.
    func receive(_ events: [CollectedEvent], by arrival: Arrival, of service: CollectorService) {
        state.withLock { state in
            if events.isEmpty {
                state.receiveUnreadable(arrival, of: service.name)
            } else {
                state.receive(events, by: arrival, of: service)
            }
        }
    }

    /// Records reports of senders.
    func add(_ reports: [SenderReport], at time: Int64) {
        state.withLock { $0.add(reports, at: time) }
    }

    /// Removes all rows.
    func clear() {
        state.withLock { $0.clear() }
    }

    /// Reads the state under the lock.
    func read<Result: Sendable>(_ body: @Sendable (InspectorState) -> Result) -> Result {
        state.withLock { body($0) }
    }

    /// The active faults, in the order in which they are checked.
    var activeFaults: [Fault] { faults.withLock { $0 } }

    /// Adds a fault, or removes the faults of a service if the fault has no status.
    func set(_ fault: Fault) {
        faults.withLock { faults in
            faults.removeAll { $0.service == fault.service && (fault.isOff || $0.event == fault.event) }
            if !fault.isOff { faults.append(fault) }
        }
    }

    /// Returns the fault for a request, if any, and decrements its count.
    func fault(service: String, events: [CollectedEvent]) -> Fault? {
        faults.withLock { faults in
            guard let index = faults.firstIndex(where: { $0.meets(service: service, events: events) }) else {
                return nil
            }
            let fault = faults[index]
            guard fault.remaining != Fault.always else { return fault }
            faults[index].remaining -= 1
            if faults[index].remaining == 0 { faults.remove(at: index) }
            return fault
        }
    }

    /// The number of times all streams were closed.
    var cutCount: Int { cuts.withLock { $0 } }

    /// Closes all streams, as a broken connection does.
    func cutStreams() {
        cuts.withLock { $0 += 1 }
    }
}

/// The numbers of recently changed rows, in the order of the changes.
///
/// A page follows the log by position.
struct ChangeLog: Sendable {
    private static let capacity = 200_000

    private var numbers: [Int] = []
    private var dropped = 0

    /// The position after the latest change.
    var end: Int { dropped + numbers.count }

    /// Appends a changed row.
    ///
    /// The number 0 represents all rows.
    mutating func append(_ number: Int) {
        numbers.append(number)
        guard numbers.count > ChangeLog.capacity else { return }
        let surplus = ChangeLog.capacity / 2
        numbers.removeFirst(surplus)
        dropped += surplus
    }

    /// Returns the rows that have changed after a position.
    ///
    /// - Parameters:
    ///   - position: The position after the last change seen by the page.
    ///   - limit: The maximum number of distinct rows.
    /// - Returns: The rows in the order of their changes, the position of the next part, and the number of changes
    ///   already removed from the log.
    func changes(after position: Int, limit: Int) -> (rows: [Int], next: Int, missed: Int) {
        let start = position > end ? end : max(position, dropped)
        var rows: [Int] = []
        var seen: Set<Int> = []
        var next = start
        while next < end, rows.count < limit {
            let number = numbers[next - dropped]
            if seen.insert(number).inserted { rows.append(number) }
            next += 1
        }
        return (rows: rows, next: next, missed: max(0, start - position))
    }
}
