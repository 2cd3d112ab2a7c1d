import EventDelivery

extension AsyncStream<Diagnostic>.Iterator {
    /// Counts the diagnostics that meet a condition, to the end of a closed engine's stream.
    @concurrent
    mutating func count(where isMet: @Sendable (Diagnostic) -> Bool) async -> Int {
        var count = 0
        while let diagnostic = await next() {
            if isMet(diagnostic) { count += 1 }
        }
        return count
    }
}

extension Diagnostic {
    /// Whether the storage could not be used.
    var isStorageFailure: Bool {
        if case .storageFailed = self { true } else { false }
    }
}
