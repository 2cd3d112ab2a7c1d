package import EventDelivery

extension AsyncStream<Diagnostic>.Iterator {
    /// Waits for the next attempt that fails temporarily.
    ///
    /// To continue the lane without sleeping, advance the test's clock by the result.
    ///
    /// - Returns: The time until the retry, or `nil` if the stream ends.
    @concurrent
    package mutating func nextRetry() async -> Duration? {
        while let diagnostic = await next() {
            if case .retrying(_, _, let wait) = diagnostic { return wait }
        }
        return nil
    }

    /// Waits for a diagnostic that satisfies a condition.
    ///
    /// - Parameter isMet: The condition.
    /// - Returns: The diagnostic, or `nil` if the stream ends.
    @concurrent
    package mutating func next(where isMet: @Sendable (Diagnostic) -> Bool) async -> Diagnostic? {
        while let diagnostic = await next() {
            if isMet(diagnostic) { return diagnostic }
        }
        return nil
    }
}
