import EventDelivery

/// A transport that never sends: for looking into a queue without touching it.
struct IdleTransport: Transport {
    func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        throw .cancelled
    }
}
