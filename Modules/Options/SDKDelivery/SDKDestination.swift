public import EventDelivery
public import VendorRules

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination that delivers to a vendor's SDK in this process instead of sending requests.
///
/// Consent, rules, storage, order, ledger and `explain` work as for any other lane. An event accepted by the SDK counts
/// as delivered; the SDK then stores and sends it independently. Each event is passed to the SDK at least once: if the
/// process ends or suspends the storage before the delivery is recorded, the event is passed again with the same id.
///
/// To change a lane from requests to an SDK or back, drain it first. Events still stored in the form of the previous
/// destination go to quarantine for the reason `other_destination`. They are counted and never sent.
///
/// The engine calls ``send(_:)`` for one event after the other, in the order of tracking. The function must return
/// without waiting for disk or network, and may be isolated to an actor. `SDKDestinationTests` checks this contract.
///
/// ```swift
/// struct OutsideSDKDestination: SDKDestination {
///     let lane = LaneID.outside
///
///     @MainActor
///     func send(_ event: SDKEvent) throws(SDKError) {
///         guard OutsideSDK.isStarted else { throw .notReady }
///         OutsideSDK.log(event.name, event.stampedParameters.dictionary)
///     }
/// }
/// ```
public protocol SDKDestination: Destination {
    /// The SDK's limits. An event with an invalid name is refused. Other violations are adjusted and counted.
    ///
    /// The default is `EventRules.permissive`.
    var rules: EventRules { get }
    /// Passes an event to the SDK.
    ///
    /// - Parameter event: The event, after consent, rules and policies for sensitive values.
    /// - Throws: ``SDKError/notReady`` to be called again later, or ``SDKError/invalidEvent(_:)`` to quarantine the
    ///   event.
    func send(_ event: SDKEvent) async throws(SDKError)
}

extension SDKDestination {
    /// No limits.
    public var rules: EventRules { .permissive }

    /// Small batches, since at most one batch is passed to the SDK twice after a kill.
    public var limits: BatchLimits { BatchLimits(events: 20, bodyBytes: 1_000_000, framingBytes: 20) }

    /// A transport that passes the events of a request to the SDK.
    public var transport: (any Transport)? {
        SDKTransport { event throws(SDKError) in try await send(event) }
    }

    /// Encodes an ``SDKEvent`` with parameters that follow ``rules``.
    ///
    /// - Parameters:
    ///   - event: The event as it was tracked, with the policies for sensitive values applied.
    ///   - encoder: Receives the event and the adjustments.
    /// - Throws: `EventEncodingError` if the event's name breaks a rule.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        try adjusted(event, for: &encoder).write(into: &encoder.json)
    }

    /// Returns an event that follows ``rules``.
    ///
    /// - Parameters:
    ///   - event: The event as it was tracked.
    ///   - encoder: Receives the adjustments.
    /// - Throws: `EventEncodingError` if the event's name breaks a rule.
    package func adjusted(
        _ event: OutgoingEvent,
        for encoder: inout EventEncoder
    ) throws(EventEncodingError) -> SDKEvent {
        try rules.check(name: event.name)
        let user = event.identity.userID.flatMap { $0.isEmpty ? nil : $0 }
        return SDKEvent(
            id: event.id,
            name: event.name,
            time: event.time,
            userID: rules.userID.accepted(user) { encoder.recordAdjustment($0) },
            parameters: rules.adjust(event.parameters, over: event.defaults) { encoder.recordAdjustment($0) }
        )
    }

    /// Returns one key for all events, which marks them as stored for an SDK.
    public func batchKey(of event: OutgoingEvent) -> String { OutgoingBatch.sdkKey }

    /// Accepts only events stored for an SDK.
    public func canSend(batchKey key: String) -> Bool { key == OutgoingBatch.sdkKey }

    /// Builds a request with one line for each event.
    ///
    /// It never leaves the process.
    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        HTTPRequest(
            url: URL(filePath: "/\(lane)"),
            body: Array(batch.events.map(\.fragment).joined(separator: "\n".utf8))
        )
    }

    /// Reads the result of each event.
    public func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        SDKResponse.result(for: response, events: batch.events.count)
    }
}

/// A transport that passes a batch to an SDK in this process.
///
/// It meets the timeouts and cancellation of `Transport` with one exception: if the SDK does not return from a call in
/// time, or within a second after a cancellation, the call is abandoned, and no further call is made.
struct SDKTransport: Transport {
    /// The time for the call in progress to return after a cancellation.
    ///
    /// The call may still wait for its actor, and must not begin after a denial has returned.
    private static let timeAfterCancellation = Duration.seconds(1)

    /// The clock of the deadline, and of the time after a cancellation.
    var clock: any DeliveryClock = SystemClock()
    /// Passes one event to the SDK.
    let sendEvent: @Sendable (SDKEvent) async throws(SDKError) -> Void

    func send(_ request: HTTPRequest, timeout: Duration) async throws(TransportError) -> HTTPResponse {
        let (results, continuation) = AsyncStream.makeStream(of: SDKResponse?.self)
        let deadline = clock.monotonicTime().advanced(by: timeout)
        let work = Task { continuation.yield(await self.response(to: request.body)) }
        let timer = Task {
            try await clock.sleep(until: deadline)
            continuation.yield(nil)
        }
        // A cancellation ends the wait of its own task only.
        let first = Task { await results.first { _ in true } }
        let result = await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            work.cancel()
            Task {
                try await clock.sleep(until: clock.monotonicTime().advanced(by: SDKTransport.timeAfterCancellation))
                continuation.yield(nil)
            }
        }
        work.cancel()
        timer.cancel()
        guard let result = result ?? nil else { throw Task.isCancelled ? .cancelled : .timedOut }
        if Task.isCancelled, result.isHeld { throw .cancelled }
        return result.response
    }

    /// Passes the events to the SDK in order, until it is not ready or the task is cancelled.
    private func response(to body: [UInt8]) async -> SDKResponse {
        let fragments = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var response = SDKResponse()
        for fragment in fragments {
            if Task.isCancelled || response.isHeld {
                response.outcomes.append(.retry)
            } else {
                response.outcomes.append(await outcome(of: fragment))
            }
        }
        return response
    }

    private func outcome(of fragment: ArraySlice<UInt8>) async -> SDKResponse.Outcome {
        guard let event = SDKEvent(stored: fragment) else { return .refused("unreadable") }
        do throws(SDKError) {
            try await sendEvent(event)
            return .taken
        } catch {
            switch error {
            case .notReady: return .retry
            case .invalidEvent(let reason): return .refused(reason)
            }
        }
    }
}
