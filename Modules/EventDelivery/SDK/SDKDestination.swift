#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A destination whose lane ends in an SDK of this process instead of a request.
///
/// An event takes the same way as any other: consent, rules, outbox, order, ledger and `explain` are the lane's. What
/// is handed over counts as delivered; the SDK stores and sends it by itself. An event is handed over at least once:
/// a process that ends between the call and its note in the outbox hands the event over again, under the same id.
///
/// An app that changes a lane from requests to an SDK, or back, lets it drain first: what is stored then is in the form
/// of the destination before, and goes to quarantine for the reason `other_destination`, counted and never sent.
///
/// Contract: ``handOver(_:)`` is called for one event after the other, in the order of tracking, and returns without
/// waiting for disk or network; it may be isolated to an actor. Checked by `SDKDestinationTests`.
public protocol SDKDestination: Destination {
    /// The SDK's limits: an event whose name breaks them is refused, everything else repaired and counted.
    ///
    /// ``EventRules/permissive`` by default.
    var rules: EventRules { get }
    /// Hands an event to the SDK, or says why it cannot be.
    func handOver(_ event: SDKEvent) async throws(SDKRefusal)
}

extension SDKDestination {
    /// No limits of the SDK's own.
    public var rules: EventRules { .permissive }

    /// Small batches: what is handed over twice after a kill is at most one of them.
    public var limits: BatchLimits { BatchLimits(events: 20, bodyBytes: 1_000_000, framingBytes: 20) }

    /// Hands the events of a request to the SDK.
    public var transport: (any Transport)? {
        SDKTransport { event throws(SDKRefusal) in try await handOver(event) }
    }

    /// Writes what an ``SDKEvent`` has, with parameters that keep ``rules``.
    public func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventRefusal) {
        try rules.check(name: event.name)
        let parameters = rules.repair(event.parameters, over: event.defaults) { encoder.repaired($0) }
        let event = SDKEvent(
            id: event.id,
            name: event.name,
            time: event.time,
            userID: event.identity.userID,
            parameters: parameters
        )
        event.write(into: &encoder.json)
    }

    /// One key for all events, which says that they are stored for an SDK.
    public func batchKey(of event: OutgoingEvent) -> String { SDKEvent.batchKey }

    /// What was stored for an SDK; another destination's events are in its own form.
    public func canSend(batchKey key: String) -> Bool { key == SDKEvent.batchKey }

    /// Builds a request of a line for each event, which never leaves the process.
    public func request(for batch: OutgoingBatch) -> HTTPRequest {
        HTTPRequest(
            url: URL(filePath: "/\(lane)"),
            body: Array(batch.events.map(\.fragment).joined(separator: "\n".utf8))
        )
    }

    /// Reads what became of each event.
    public func verdict(on response: HTTPResponse, for batch: OutgoingBatch) -> BatchVerdict {
        SDKAnswer.verdict(on: response, events: batch.events.count)
    }
}

/// Hands a batch to an SDK of this process, where another transport sends it to a receiver.
///
/// It keeps the promises of ``Transport`` on time and cancelling with one exception that no caller can avoid: a call
/// that the SDK does not return from is left to itself, and no further one is made.
struct SDKTransport: Transport {
    /// Hands one event over.
    let handOver: @Sendable (SDKEvent) async throws(SDKRefusal) -> Void

    func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        let (answers, answer) = AsyncStream.makeStream(of: SDKAnswer?.self)
        let work = Task { answer.yield(await self.answer(to: request.body)) }
        let timer = Task {
            try await Task.sleep(for: deadline)
            answer.yield(nil)
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        for await answer in answers {
            guard let answer else { throw .timedOut }
            return answer.response
        }
        throw .cancelled
    }

    /// Hands the events over one after the other, as far as the SDK takes them and nobody has given up.
    private func answer(to body: [UInt8]) async -> SDKAnswer {
        let fragments = body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var answer = SDKAnswer()
        for fragment in fragments {
            if Task.isCancelled || answer.isHeld {
                answer.outcomes.append(.retry)
            } else {
                answer.outcomes.append(await outcome(of: fragment))
            }
        }
        return answer
    }

    private func outcome(of fragment: ArraySlice<UInt8>) async -> SDKAnswer.Outcome {
        guard let event = SDKEvent(stored: fragment) else { return .refused("unreadable") }
        do throws(SDKRefusal) {
            try await handOver(event)
            return .taken
        } catch {
            switch error {
            case .notReady: return .retry
            case .invalidEvent(let reason): return .refused(reason)
            }
        }
    }
}
