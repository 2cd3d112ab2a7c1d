import EventDelivery

/// A transport without a network that responds at once, after a delay, or never.
struct ReceiverlessTransport: Transport {
    /// Whether requests are acknowledged.
    ///
    /// Otherwise they never end, as if offline.
    let acknowledges: Bool
    /// The duration of a request.
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
