import EventDelivery
import EventDeliveryTesting
import Foundation
import Locks
import LoopbackCollector

/// The strict stand-ins of the vendors' receivers on one port, which also fail at random.
final class StrictReceivers: Sendable {
    /// The counts of the stand-ins.
    struct Record {
        var faults = 0
        /// The requests in violation of a published rule of their receiver.
        var violations: [String] = []
        fileprivate var random: SeededGenerator
    }

    private static let services: [CollectorService] = .all
    private let record: Mutex<Record>
    private let isCalm = Atomic(false)
    private let collector: LoopbackCollector

    init(seed: UInt64) throws {
        record = Mutex(Record(random: SeededGenerator(seed: seed)))
        collector = try LoopbackCollector(services: StrictReceivers.services, retention: .idsOnly)
        let strict = CollectorScript.strict(StrictReceivers.services)
        collector.setScript(CollectorScript { [weak self] in self?.action(for: $0, strict: strict) ?? .close })
    }

    /// The address of all stand-ins.
    var endpoint: Endpoint { collector.url }

    /// The counts so far.
    var snapshot: Record { record.withLock { $0 } }

    /// Returns whether a stand-in has stored an event.
    func hasStored(_ id: EventID, of service: CollectorService) -> Bool {
        collector.hasStored(id.description, of: service)
    }

    /// Causes no further faults.
    func calm() {
        isCalm.store(true, ordering: .sequentiallyConsistent)
    }

    private func action(for request: CollectedRequest, strict: CollectorScript) -> CollectorAction {
        let service = StrictReceivers.services.service(for: request.head)
        let time = CollectorScript.systemTime()
        let messages = service?.rules?.messages(on: request.head, body: request.body, at: time) ?? []
        let isCalm = isCalm.load(ordering: .sequentiallyConsistent)
        let fault: CollectorAction? = record.withLock { record in
            record.violations += messages.map { "\(service?.name ?? ""): \($0.fieldPath): \($0.description)" }
            guard messages.isEmpty, !isCalm else { return nil }
            let events = service?.events(in: request).count ?? 1
            let action = FaultyReceiver.action(for: events, using: &record.random)
            if case .respond(let response) = action, response.status == 200 { return nil }
            record.faults += 1
            return action
        }
        // Outside the lock, because a strict stand-in reads each event.
        return fault ?? strict.action(for: request)
    }
}
