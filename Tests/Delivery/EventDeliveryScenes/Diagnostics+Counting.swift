import EventDelivery

extension AsyncStream<Diagnostic>.Iterator {
    /// Counts the diagnostics that satisfy a condition, until the stream of a closed engine ends.
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
    /// Whether the diagnostic reports unavailable storage.
    var isStorageFailure: Bool {
        if case .storageFailed = self { true } else { false }
    }

    /// Whether the diagnostic reports that the directory is open.
    var isOpening: Bool {
        if case .opened = self { true } else { false }
    }
}
