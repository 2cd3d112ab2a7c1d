import CoreTracker
import EventDelivery
import EventDeliveryTesting
import LoopbackCollector

/// Tasks that set the consent of one engine at once, with a given word as the last call of all.
///
/// A task's first words are set in parallel with those of the other tasks, in any order. Its last word is set on this
/// actor, which fixes the order of the calls, because `setConsent` numbers the word before it suspends. The earlier
/// calls may still be under way when the last one is made.
actor ConsentSpeakers {
    private static let count = 4

    private let engine: DeliveryEngine
    private let collector: LoopbackCollector
    private let lastWord: Consent
    private var remaining = 0
    private var begunRequests = 0

    /// Creates the tasks' actor for an engine that delivers to a collector.
    init(engine: DeliveryEngine, collector: LoopbackCollector, lastWord: Consent) {
        self.engine = engine
        self.collector = collector
        self.lastWord = lastWord
    }

    /// Draws the words that the tasks set before the last one: one list for each task, none of them empty.
    static func words(using random: inout SeededGenerator) -> [[Consent]] {
        (0..<count).map { _ in
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Consent.allCases.randomElement(using: &random) ?? .granted
            }
        }
    }

    /// Sets the words and tracks before each; returns how many requests had begun when the last call returned.
    func say(_ words: [[Consent]], track: @escaping @Sendable () -> Void) async throws -> Int {
        remaining = words.count
        try await withThrowingTaskGroup(of: Void.self) { group in
            for words in words {
                group.addTask { [self] in
                    for word in words.dropLast() {
                        track()
                        try await engine.setConsent(word, for: .analytics)
                    }
                    track()
                    try await finish(with: words.last ?? .granted)
                }
            }
            try await group.waitForAll()
        }
        return begunRequests
    }

    /// Sets the last word of a task: the given one, or the last of all where no other task has one left.
    private func finish(with word: Consent) async throws {
        remaining -= 1
        guard remaining == 0 else { return try await engine.setConsent(word, for: .analytics) }
        try await engine.setConsent(lastWord, for: .analytics)
        begunRequests = collector.tally.begunRequests
    }
}
