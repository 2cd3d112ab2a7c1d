/// What a lane's runner tells the store about an attempt.
struct Settlement: Sendable {
    /// What the answer means.
    let verdict: BatchVerdict
    /// What came of the request.
    let attempt: Attempt
    /// The bytes of the body before compression.
    let bodyBytes: Int
    /// The gate after the attempt.
    let gate: LaneGate
}
