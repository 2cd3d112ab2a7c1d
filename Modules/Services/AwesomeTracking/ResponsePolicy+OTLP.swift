public import EventDelivery

extension ResponsePolicy {
    /// The policy of OTLP: 429, 502, 503 and 504 are temporary, and no other request is repeated unchanged.
    ///
    /// A Collector also responds with 500 to permanent errors. No event is lost in that case: the batch is bisected
    /// once. If all parts are rejected alike, the lane pauses.
    public static let otlp: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        for status in [408, 409, 425, 500, 507, 509] { policy.statuses[status] = .suspect }
        // The address and headers are the same for every batch. Splitting a batch does not help.
        policy.statuses[414] = .paused(.endpoint)
        policy.statuses[431] = .paused(.protocolMismatch)
        policy.statusClasses[5] = .suspect
        return policy
    }()
}
