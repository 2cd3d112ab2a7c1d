public import EventDelivery

extension AsyncStream<Diagnostic>.Iterator {
    /// Waits for the next attempt that fails for a passing cause, and answers how long its lane waits.
    ///
    /// A test that advances its clock by the answer lets the lane go on, without any sleeping.
    @concurrent
    public mutating func nextRetry() async -> Duration? {
        while let diagnostic = await next() {
            if case .retrying(_, _, let wait) = diagnostic { return wait }
        }
        return nil
    }

    /// Waits for a diagnostic that meets a condition.
    @concurrent
    public mutating func next(where isMet: @Sendable (Diagnostic) -> Bool) async -> Diagnostic? {
        while let diagnostic = await next() {
            if isMet(diagnostic) { return diagnostic }
        }
        return nil
    }
}
