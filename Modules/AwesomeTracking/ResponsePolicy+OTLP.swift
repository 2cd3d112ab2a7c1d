public import EventDelivery

extension ResponsePolicy {
    /// OTLP's own table: 429, 502, 503 and 504 pass, and nothing else is sent again as it is.
    ///
    /// A Collector answers 500 to what fails for good. No event is lost for it: the batch is bisected once, and the
    /// lane pauses where all of its parts are refused alike.
    public static let otlp: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        for status in [408, 409, 425, 500, 507, 509] { policy.statuses[status] = .suspect }
        // The address and headers are the same for every batch, so that no split helps.
        policy.statuses[414] = .paused(.endpoint)
        policy.statuses[431] = .paused(.protocolMismatch)
        policy.hundreds[5] = .suspect
        return policy
    }()
}
