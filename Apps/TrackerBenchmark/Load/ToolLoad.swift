import CoreTracker
import EventDelivery
import Foundation

/// A workload for a process that another tool observes, selected by `--load`.
struct ToolLoad {
    private let count: Int
    private let directory: String

    /// Runs a workload `count` times.
    ///
    /// - Returns: The text to print, or `nil` for an unknown name.
    static func run(_ name: String, count: Int, directory: String) async throws -> String? {
        let load = ToolLoad(count: count, directory: directory)
        switch name {
        case "allocations": return load.countAllocations(of: ShopEvent.init)
        case "allocations-of-one-list": return load.countAllocations(of: SharedListEvent.init)
        case "system-calls": try await load.trackToDisk()
        case "memory": return try await load.memory()
        case "day": return try DayReport(.ordinary, in: directory).json
        case "track": load.track(by: \.tracker)
        case "feature": load.track(by: \.featureTracker)
        case "scope": withTracking(user: "u-7", session: "s-7") { load.track(by: \.tracker) }
        case "track-by-hand": load.trackByHand()
        case "firebase": try load.encode(0, for: LiveEngine.firebase())
        case "awesome": try load.encode(1, for: LiveEngine.awesomeTracking())
        case "firebase-by-hand": load.writeByHand { $0.appendFirebase($1, id: $2, time: $3) }
        case "awesome-by-hand": load.writeByHand { $0.appendAwesomeTracking($1, id: $2, time: $3, sequence: 1) }
        default: return nil
        }
        return ""
    }

    /// Returns the allocations of a typical call, after the engine's buffer has grown.
    private func countAllocations(of event: (Int) -> some CoreTrackable) -> String {
        guard let counter = PreloadedCounter(of: .allocations) else { return "no counter" }
        let live = LiveEngine()
        for number in 0..<count { live.tracker.track(ShopEvent(number: number)) }
        var counts = Percentiles(capacity: count)
        for number in 0..<count {
            let event = event(number)
            let before = counter.count
            live.tracker.track(event)
            counts.add(Int64(counter.count - before))
        }
        counts.sort()
        return "\(counts.value(at: 0.5))"
    }

    /// Tracks between two marks to an open engine, after equal bursts have allocated all memory.
    ///
    /// Runs on the main thread, as an app does.
    @MainActor private func trackToDisk() async throws {
        let live = try await LiveEngine(in: directory, destinations: LiveEngine.destinations())
        for _ in 0..<3 {
            for number in 0..<count { live.tracker.track(ShopEvent(number: number)) }
            live.waitUntilStored()
        }
        let events = (0..<count).map { ShopEvent(number: $0) }
        _ = FileManager.default.fileExists(atPath: SystemCallLog.marks.begin)
        for event in events { live.tracker.track(event) }
        _ = FileManager.default.fileExists(atPath: SystemCallLog.marks.end)
        await live.engine.close(timeout: .zero)
    }

    /// Returns the resident memory after events were tracked to an open engine, while requests wait for a receiver.
    private func memory() async throws -> String {
        let live = try await LiveEngine(in: directory, destinations: LiveEngine.destinations())
        live.track(0..<count)
        live.waitUntilStored()
        let memory = ProcessUsage.residentMemory
        await live.engine.close(timeout: .zero)
        return memory.map { "\($0)" } ?? "no /proc"
    }

    /// Tracks before the engine is open, so the process has only the caller's thread.
    ///
    /// The engine is never released, because the release of the events is not a part of the calls.
    private func track(by tracker: KeyPath<LiveEngine, some CoreTracker>) {
        let live = LiveEngine(capacity: 1_000_000)
        _ = unsafe Unmanaged.passRetained(live.engine)
        let tracker = live[keyPath: tracker]
        for number in 0..<count { tracker.track(ShopEvent(number: number)) }
    }

    private func trackByHand() {
        let buffer = HandWrittenBuffer(capacity: 1)
        for number in 0..<count { buffer.append(ShopEvent(number: number)) }
    }

    private func encode(_ index: Int, for destination: any Destination) throws {
        let event = ShopEvent(number: 1).outgoing(index)
        var encoder = EventEncoder()
        for _ in 0..<count {
            encoder.reset()
            try destination.encode(event, into: &encoder)
        }
    }

    private func writeByHand(_ append: (inout HandWritten, ShopEvent, EventID, Timestamp) -> Void) {
        var bodies = HandWritten(ShopEvent.identity)
        let event = ShopEvent(number: 1)
        let outgoing = event.outgoing(1)
        for _ in 0..<count {
            bodies.removeAll()
            append(&bodies, event, outgoing.id, outgoing.time)
        }
    }
}
