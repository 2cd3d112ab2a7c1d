import Locks
import LoopbackCollector

/// Guards what the inspector knows, for all threads of the collector.
final class InspectorStore: Sendable {
    /// The most rows that are kept.
    static let capacity = 50_000

    private let state: Mutex<InspectorState>
    private let faults = Mutex<[Fault]>([])
    /// Streams that were opened before the latest cut have to end.
    private let cuts = Mutex(0)

    /// Creates an empty store.
    init(plan: InspectorPlan, capacity: Int = InspectorStore.capacity) {
        state = Mutex(InspectorState(plan: plan, capacity: capacity))
    }

    /// Takes in the events of a request.
    func receive(_ events: [CollectedEvent], by arrival: Arrival, of service: String) {
        state.withLock { state in
            if events.isEmpty {
                state.receiveUnreadable(arrival, of: service)
            } else {
                state.receive(events, by: arrival, of: service)
            }
        }
    }

    /// Takes in what senders tell.
    func take(_ reports: [SenderReport], at time: Int64) {
        state.withLock { $0.take(reports, at: time) }
    }

    /// Forgets all rows.
    func clear() {
        state.withLock { $0.clear() }
    }

    /// Looks at the state.
    func read<Result: Sendable>(_ body: @Sendable (InspectorState) -> Result) -> Result {
        state.withLock { body($0) }
    }

    /// The faults that are set, in the order in which they are asked.
    var activeFaults: [Fault] { faults.withLock { $0 } }

    /// Sets a fault, or with no status takes away those of a service.
    func set(_ fault: Fault) {
        faults.withLock { faults in
            faults.removeAll { $0.service == fault.service && (fault.isOff || $0.event == fault.event) }
            if !fault.isOff { faults.append(fault) }
        }
    }

    /// The fault that a request meets, which is used up by one request.
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

    /// How often streams have been cut.
    var cutCount: Int { cuts.withLock { $0 } }

    /// Ends all streams, as a broken connection does.
    func cutStreams() {
        cuts.withLock { $0 += 1 }
    }
}
