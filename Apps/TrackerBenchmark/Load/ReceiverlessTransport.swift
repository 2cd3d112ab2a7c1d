import EventDelivery

/// A transport without a network: it answers each request at once, after a while, or never.
struct ReceiverlessTransport: Transport {
    /// Whether requests are acknowledged; otherwise they wait for ever, as offline.
    let acknowledges: Bool
    /// How long a request takes.
    var delay: Duration = .zero

    func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        if acknowledges {
            if delay > .zero { try? await Task.sleep(for: delay) }
            return HTTPResponse(status: 200)
        }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        throw .cancelled
    }
}
