import Foundation

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
