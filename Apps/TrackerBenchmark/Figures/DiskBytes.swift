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
    private static let single = Row("bytes on the disk per body byte, single events", .times, .atMost(10))
    private static let delivered = Row("bytes on the disk per body byte, single events delivered", .times, .atMost(15))
    private static let bursts = Row("bytes on the disk per body byte, bursts of 20", .times, .atMost(3))
    private static let sent = Row("bytes on the disk per body byte, bursts of 20 delivered", .times)
    private static let flood = Row("bytes on the disk per body byte, 200,000 events", .times, .atMost(2.1))

    let rows = [single, delivered, bursts, sent, flood]
    let runs = RunCount.few

    func measure(_ setting: Setting) async throws -> [Sample] {
        // A phone's budget, and one without a limit.
        let (phone, server) = (DeliveryBudget(), LiveEngine.budget)
        return [
            try await sample(Self.single, events: 200, group: 1, phone, in: "\(setting.directory)/single"),
            try await sample(
                Self.delivered,
                events: 200,
                group: 1,
                phone,
                delivers: true,
                in: "\(setting.directory)/delivered"
            ),
            try await sample(Self.bursts, events: 2_000, group: 20, phone, in: "\(setting.directory)/bursts"),
            try await sample(
                Self.sent,
                events: 2_000,
                group: 20,
                phone,
                delivers: true,
                in: "\(setting.directory)/sent"
            ),
            try await sample(Self.flood, events: 200_000, group: 200_000, server, in: "\(setting.directory)/flood"),
        ]
    }

    private func sample(
        _ row: Row,
        events: Int,
        group: Int,
        _ budget: DeliveryBudget,
        delivers: Bool = false,
        in directory: String
    ) async throws -> Sample {
        let body = Atomic(0)
        let destinations = try LiveEngine.destinations().map { destination in
            WatchedDestination(destination) { _, bytes in body.wrappingAdd(bytes, ordering: .relaxed) }
        }
        let live = LiveEngine()
        try await live.open(
            in: directory,
            destinations: destinations,
            transport: ReceiverlessTransport(acknowledges: delivers),
            budget: budget
        )
        await live.engine.storeBuffered()
        body.store(0, ordering: .relaxed)
        let start = ProcessUsage.bytesOnDisk
        for first in stride(from: 0, to: events, by: group) {
            live.track(first..<first + group)
            await live.engine.storeBuffered()
            if delivers { _ = await live.engine.flush(timeout: .seconds(10)) }
        }
        let written = ProcessUsage.difference(from: start, to: ProcessUsage.bytesOnDisk)
        let bodies = body.load(ordering: .relaxed)
        guard await live.lossCount() == 0 else { throw BenchmarkError("events were lost") }
        await live.engine.close(timeout: .zero)
        let floor = try bytesByHand(bodies / events, events: events, group: group, path: "\(directory)/floor")
        guard let written, written > 0, let floor else {
            return Sample(row: row.name, value: nil, note: "needs /proc and a disk")
        }
        return Sample(row: row.name, value: written / Double(bodies), floor: floor / Double(bodies))
    }

    /// Returns the bytes that reach the disk if bodies of a size are appended to a file.
    private func bytesByHand(_ size: Int, events: Int, group: Int, path: String) throws -> Double? {
        let file = try AppendOnlyFile(path: path)
        let start = ProcessUsage.bytesOnDisk
        for _ in stride(from: 0, to: events, by: group) {
            try file.append([UInt8](repeating: 0x20, count: size * group))
            try file.makeBarrier()
        }
        return ProcessUsage.difference(from: start, to: ProcessUsage.bytesOnDisk)
    }
}
