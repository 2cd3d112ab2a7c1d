import CoreTracker
import EventDelivery
import Foundation
import Locks

/// The bytes that reach the disk for each byte of a body, with a barrier after each event, each burst and at the end.
///
/// A phone's user causes single events and bursts: the next event comes after the engine's barrier, which takes place
/// within a second. The floor appends the same bodies to a file, with the same barriers. A barrier writes whole pages
/// of 4 kB.
struct DiskBytes: Figure {
    /// Events in groups, each of which ends with a barrier.
    private struct Load {
        let row: Row
        let events: Int
        let group: Int
        /// By default, a phone's budget.
        var budget = DeliveryBudget()
        /// Whether each group is also delivered.
        var delivers = false
    }

    private static let single = "bytes on the disk per body byte, single events"
    private static let bursts = "bytes on the disk per body byte, bursts of 20"
    private static let phoneFlood = "bytes on the disk per body byte, 15,000 events on a phone"
    private static let flood = "bytes on the disk per body byte, 200,000 events"
    private static let loads = [
        Load(row: Row(single, .times, .atMost(10)), events: 200, group: 1),
        Load(row: Row("\(single) delivered", .times, .atMost(15)), events: 200, group: 1, delivers: true),
        Load(row: Row(bursts, .times, .atMost(3)), events: 2_000, group: 20),
        Load(row: Row("\(bursts) delivered", .times), events: 2_000, group: 20, delivers: true),
        Load(row: Row(phoneFlood, .times, .atMost(2.4)), events: 15_000, group: 15_000),
        Load(row: Row(flood, .times, .atMost(2.1)), events: 200_000, group: 200_000, budget: LiveEngine.budget),
    ]

    let rows = loads.map(\.row)
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        var samples: [Sample] = []
        for load in DiskBytes.loads {
            samples.append(try await sample(load, in: "\(setting.directory)/\(samples.count)"))
        }
        return samples
    }

    private func sample(_ load: Load, in directory: String) async throws -> Sample {
        let body = Atomic(0)
        let destinations = try LiveEngine.destinations().map { destination in
            WatchedDestination(destination) { _, bytes in body.wrappingAdd(bytes, ordering: .relaxed) }
        }
        let live = LiveEngine()
        try await live.open(
            in: directory,
            destinations: destinations,
            transport: ReceiverlessTransport(acknowledges: load.delivers),
            budget: load.budget
        )
        await live.engine.storeBuffered()
        body.store(0, ordering: .relaxed)
        let start = ProcessUsage.bytesOnDisk
        for first in stride(from: 0, to: load.events, by: load.group) {
            live.track(first..<first + load.group)
            await live.engine.storeBuffered()
            if load.delivers { _ = await live.engine.flush(timeout: .seconds(10)) }
        }
        let written = ProcessUsage.difference(from: start, to: ProcessUsage.bytesOnDisk)
        let bodies = body.load(ordering: .relaxed)
        guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
        await live.engine.close(timeout: .zero)
        let floor = try bytesByHand(bodies / load.events, load, path: "\(directory)/floor")
        guard let written, written > 0, let floor else {
            return Sample(row: load.row.name, value: nil, note: "needs /proc and a disk")
        }
        return Sample(row: load.row.name, value: written / Double(bodies), floor: floor / Double(bodies))
    }

    /// Returns the bytes that reach the disk if bodies of a size are appended to a file.
    private func bytesByHand(_ size: Int, _ load: Load, path: String) throws -> Double? {
        let file = try AppendOnlyFile(path: path)
        let start = ProcessUsage.bytesOnDisk
        for _ in stride(from: 0, to: load.events, by: load.group) {
            try file.append([UInt8](repeating: 0x20, count: size * load.group))
            try file.makeBarrier()
        }
        return ProcessUsage.difference(from: start, to: ProcessUsage.bytesOnDisk)
    }
}
