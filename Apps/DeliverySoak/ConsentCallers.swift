import CoreTracker
import EventDelivery
import EventDeliveryTesting

/// An actor whose tasks set the consent of one engine concurrently, with a given decision as the last call.
///
/// Each task sets its decisions except the last one in parallel with the other tasks, in any order. The last decision
/// of each task is set on this actor, which orders the calls, because `setConsent` numbers the decision before it
/// suspends. Earlier calls may still be in progress when the last one is made.
actor ConsentCallers {
    private static let taskCount = 4

    private let engine: DeliveryEngine
    private let transport: CountingTransport
    private let lastWord: Consent
    private var remaining = 0
    private var count = CountingTransport.Count()

    /// Creates an actor for an engine that delivers over a transport.
    init(engine: DeliveryEngine, transport: CountingTransport, lastWord: Consent) {
        self.engine = engine
        self.transport = transport
        self.lastWord = lastWord
    }

    /// Returns random decisions before the last one: one non-empty list for each task.
    static func words(using random: inout SeededGenerator) -> [[Consent]] {
        (0..<taskCount).map { _ in
            (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Consent.allCases.randomElement(using: &random) ?? .granted
            }
        }
    }

    /// Sets the decisions, and tracks an event before each.
    ///
    /// Returns the numbers of requests when the last call returned.
    func set(_ words: [[Consent]], track: @escaping @Sendable () -> Void) async throws -> CountingTransport.Count {
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
        return count
    }

    /// Sets the last decision of a task: the given one, or the final decision if this task is the last.
    private func finish(with word: Consent) async throws {
        remaining -= 1
        guard remaining == 0 else { return try await engine.setConsent(word, for: .analytics) }
        try await engine.setConsent(lastWord, for: .analytics)
        count = transport.count
    }
}
