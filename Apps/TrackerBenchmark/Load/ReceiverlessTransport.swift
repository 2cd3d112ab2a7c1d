import EventDelivery

/// A transport without a network: it answers each request at once, or never.
struct ReceiverlessTransport: Transport {
    /// Whether requests are acknowledged; otherwise they wait for ever, as offline.
    let acknowledges: Bool

    func send(_ request: HTTPRequest, deadline: Duration) async throws(TransportError) -> HTTPResponse {
        if acknowledges { return HTTPResponse(status: 200) }
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3_600)) }
        throw .cancelled
    }
}
