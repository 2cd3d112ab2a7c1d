public import CoreTracker
public import EventDelivery
import Foundation
import Locks

/// A destination that accepts and records all events, for tests of services.
///
/// ```swift
/// let rows = RecordingDestination(lane: .awesomeTracking(product: "DL"))
/// let engine = try await rows.makeEngine()
/// ```
public final class RecordingDestination: Destination {
    public let lane: LaneID
    public let purpose: ConsentPurpose
    public let updates: Set<ProfileUpdate>
    public let limits = BatchLimits(events: 500, bodyBytes: 10_000_000)
    private let recorded = Mutex<[OutgoingEvent]>([])

    /// Creates a destination without events.
    ///
    /// - Parameters:
    ///   - lane: The lane.
    ///   - purpose: The purpose that needs consent.
    ///   - updates: The supported profile updates.
    public init(lane: LaneID, purpose: ConsentPurpose = .analytics, updates: Set<ProfileUpdate> = []) {
        self.lane = lane
        self.purpose = purpose
        self.updates = updates
    }

    /// The recorded events, in the order in which they were stored.
    public var events: [OutgoingEvent] { recorded.withLock { $0 } }

    /// Creates and opens an engine in memory that delivers to this destination.
    ///
    /// - Returns: The open engine.
    /// - Throws: An error if the engine cannot be opened.
    public func makeEngine() async throws -> DeliveryEngine {
        let engine = DeliveryEngine(clock: TestClock())
        try await engine.open(
            DeliveryConfiguration(directory: nil, destinations: [self], transport: ScriptedTransport())
        )
        return engine
    }

    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) {
        recorded.withLock { $0.append(event) }
        encoder.json.id(event.id)
    }

    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        HTTPRequest(url: URL(filePath: "/recorded"), headers: [], body: [])
    }
}
