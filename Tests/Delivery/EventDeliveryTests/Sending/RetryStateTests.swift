import EventDeliveryTesting
import EventOutbox
import Testing

@testable import EventDelivery

@Suite struct RetryStateTests {
    private let start = MonotonicInstant(nanoseconds: 1_000_000_000)
    private let wall = Timestamp(microseconds: 1_772_359_200_000_000)

    @Test func `a wait is at least half of a limit that doubles up to ten minutes`() {
        var random = SeededGenerator(seed: 1)
        let caps = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600, 600, 600]

        for (index, cap) in caps.enumerated() {
            let waits = (0..<200).map { _ in
                var retryState = RetryState()
                for _ in 0...index { retryState.failed(at: start, retryAfter: nil, using: &random) }
                return start.duration(to: retryState.notBefore)
            }

            #expect(waits.allSatisfy { $0 >= .seconds(cap) / 2 && $0 <= .seconds(cap) })
            #expect(waits.contains { $0 < .seconds(cap) * 0.55 })
            #expect(waits.contains { $0 > .seconds(cap) * 0.95 })
        }
    }

    @Test(arguments: [Duration.seconds(-5), .zero, .seconds(2), .seconds(86_400), .seconds(1_000_000_000)])
    func `the wait is at least as long as the receiver asks for, and at most a day and a tenth`(asked: Duration) {
        var random = SeededGenerator(seed: 2)
        var retryState = RetryState()

        retryState.failed(at: start, retryAfter: asked, using: &random)

        let wait = start.duration(to: retryState.notBefore)
        #expect(wait >= max(.zero, min(asked, .seconds(86_400))))
        #expect(wait <= .seconds(86_400) * 1.1)
    }

    @Test func `a flush skips a back-off once in half a minute`() {
        var random = SeededGenerator(seed: 3)
        var retryState = RetryState()
        for _ in 1...6 { retryState.failed(at: start, retryAfter: nil, using: &random) }

        retryState.skipBackoff(at: start)
        #expect(retryState.isOpen(at: start))
        retryState.failed(at: start, retryAfter: nil, using: &random)
        retryState.skipBackoff(at: start.advanced(by: .milliseconds(50)))
        #expect(!retryState.isOpen(at: start.advanced(by: .milliseconds(50))))
        retryState.failed(at: start.advanced(by: .seconds(30)), retryAfter: nil, using: &random)
        retryState.skipBackoff(at: start.advanced(by: .seconds(30)))
        #expect(retryState.isOpen(at: start.advanced(by: .seconds(30))))
    }

    @Test(arguments: PauseReason.allCases)
    func `a flush ends a pause that another network may have ended, and its probes stay counted`(cause: PauseReason) {
        var random = SeededGenerator(seed: 5)
        var retryState = RetryState()
        for _ in 1...3 { retryState.paused(cause, at: start, wall: wall, using: &random) }
        let isOfNetwork = cause == .trust || cause == .intercepted

        retryState.skipBackoff(at: start)

        #expect(retryState.isOpen(at: start) == isOfNetwork)
        retryState.paused(cause, at: start, wall: wall, using: &random)
        #expect(retryState.reason == .paused(cause))
        #expect(retryState.failures == 4)
        retryState.skipBackoff(at: start.advanced(by: .seconds(29)))
        #expect(retryState.isOpen(at: start.advanced(by: .seconds(29))) == false)
    }

    @Test(arguments: 1...12)
    func `a flush never skips a Retry-After, even if the back-off is longer`(failures: Int) {
        var random = SeededGenerator(seed: UInt64(failures))
        var retryState = RetryState()
        for _ in 1...failures { retryState.failed(at: start, retryAfter: .seconds(2), using: &random) }

        retryState.skipBackoff(at: start)

        #expect(!retryState.isOpen(at: start.advanced(by: .milliseconds(1_999))))
        #expect(retryState.isOpen(at: start.advanced(by: .milliseconds(2_200))))
    }

    @Test func `an acknowledgement ends the back-off, and the next failure begins with the shortest wait`() {
        var random = SeededGenerator(seed: 4)
        var retryState = RetryState()
        for failure in 1...12 {
            retryState.failed(at: start, retryAfter: nil, using: &random)
            #expect(retryState.failures == failure)
        }

        retryState.succeeded()
        let isOpen = retryState.isOpen(at: start) && retryState.failures == 0
        retryState.failed(at: start, retryAfter: nil, using: &random)

        #expect(isOpen)
        #expect(retryState.isOpen(at: start.advanced(by: .seconds(1))))
    }

    @Test(
        arguments: [
            (PauseReason.credentials, [9, 18, 36, 72, 144, 288, 576, 1152, 2304, 3600, 3600]),
            (.endpoint, [9, 18, 36, 72, 144, 270, 270]),
            (.trust, [9, 18, 36, 72, 144, 288, 576, 1152, 2304, 3600, 3600]),
        ]
    )
    func `a pause probes within 10 seconds, and the waits double up to an hour`(
        reason: PauseReason,
        waits: [Int]
    ) {
        var random = SeededGenerator(seed: 6)
        var retryState = RetryState()

        for wait in waits {
            retryState.paused(reason, at: start, wall: wall, using: &random)
            let found = start.duration(to: retryState.notBefore)
            #expect(found >= .seconds(wait) && found <= .seconds(wait) * 1.1)
        }
    }

    @Test(arguments: [(2, 9), (60, 60), (-5, 9), (1_000_000_000, 86_400)])
    func `a probe waits at least as long as the receiver asks for, and at most a day and a tenth`(
        asked: Int,
        wait: Int
    ) {
        var random = SeededGenerator(seed: 10)
        var retryState = RetryState()

        retryState.paused(.endpoint, at: start, wall: wall, retryAfter: .seconds(asked), using: &random)

        let found = start.duration(to: retryState.notBefore)
        #expect(found >= .seconds(wait) && found <= .seconds(wait) * 1.1)
    }

    @Test(arguments: [1, 3])
    func `a flush keeps a skipped wait's reason and count, so the next request is a probe`(failures: Int) {
        var random = SeededGenerator(seed: 11)
        var retryState = RetryState()
        for _ in 1...failures { retryState.paused(.intercepted, at: start, wall: wall, using: &random) }

        retryState.skipBackoff(at: start)

        #expect(retryState.isOpen(at: start))
        #expect(retryState.pause == .intercepted && retryState.failures == failures)
        #expect(retryState.pausedSince == wall)
    }

    @Test func `a flush does not shorten a pause of the network for which a Retry-After asks`() {
        var random = SeededGenerator(seed: 12)
        var retryState = RetryState()
        retryState.paused(.intercepted, at: start, wall: wall, retryAfter: .seconds(600), using: &random)

        retryState.skipBackoff(at: start)

        #expect(!retryState.isOpen(at: start.advanced(by: .seconds(599))))
        #expect(retryState.pause == .intercepted)
    }

    @Test(arguments: [nil, PauseReason.intercepted, .credentials])
    func `a late Retry-After applies after a success and during a pause`(pause: PauseReason?) {
        var random = SeededGenerator(seed: 13)
        var retryState = RetryState()
        if let pause { retryState.paused(pause, at: start, wall: wall, using: &random) }

        retryState.ask(for: .seconds(120), at: start, using: &random)
        retryState.skipBackoff(at: start)

        #expect(!retryState.isOpen(at: start.advanced(by: .seconds(119))))
        #expect(retryState.isOpen(at: start.advanced(by: .seconds(133))))
        #expect(retryState.pause == pause)
    }

    @Test func `resuming ends a pause and nothing else`() {
        var random = SeededGenerator(seed: 7)
        var paused = RetryState()
        var asked = RetryState()
        paused.paused(.credentials, at: start, wall: wall, using: &random)
        asked.failed(at: start, retryAfter: .seconds(60), using: &random)

        paused.resume()
        asked.resume()

        #expect(paused.isOpen(at: start))
        #expect(!asked.isOpen(at: start))
    }

    @Test func `a stored wait continues after a restart, without becoming shorter or starting again`() {
        var random = SeededGenerator(seed: 8)
        var retryState = RetryState()
        retryState.failed(at: start, retryAfter: .seconds(100), using: &random)
        let wait = start.duration(to: retryState.notBefore)
        let stored = retryState.stored(at: moment(start, boot: 1))
        let later = start.advanced(by: .seconds(40))

        let sameBoot = RetryState(stored, at: moment(later, boot: 1))
        let otherBoot = RetryState(stored, at: moment(MonotonicInstant(nanoseconds: 5), boot: 2))

        #expect(sameBoot.reason == .retryAfter && otherBoot.reason == .retryAfter)
        #expect(sameBoot.notBefore == retryState.notBefore)
        #expect(otherBoot.notBefore == MonotonicInstant(nanoseconds: 5).advanced(by: wait))
    }

    @Test(arguments: [("", Int64.max), ("backoff", .min), ("paused:nonsense", 5), ("retry_after", .max), ("x", -1)])
    func `an invalid stored retry state waits at most two days`(reason: String, nanoseconds: Int64) {
        var stored = StoredRetryState()
        (stored.remaining, stored.reason, stored.failures) = (.nanoseconds(nanoseconds), reason, -3)
        (stored.noted, stored.boot) = (MonotonicInstant(nanoseconds: .max), 1)

        let retryState = RetryState(stored, at: moment(start, boot: 1))

        #expect(retryState.isOpen(at: start.advanced(by: .seconds(2 * 86_400))))
        #expect(retryState.failures == 0)
    }

    @Test func `a pause keeps its start through probes and restarts, and is an earlier run's until a response`() {
        var random = SeededGenerator(seed: 8)
        var retryState = RetryState()
        retryState.paused(.credentials, at: start, wall: wall, using: &random)
        retryState.paused(.credentials, at: start, wall: wall.advanced(bySeconds: 300), using: &random)

        var restored = RetryState(retryState.stored(at: moment(start, boot: 1)), at: moment(start, boot: 1))
        let isInherited = restored.isPausedByEarlierRun
        restored.paused(.credentials, at: start, wall: wall.advanced(bySeconds: 900), using: &random)

        #expect(retryState.pausedSince == wall && !retryState.isPausedByEarlierRun)
        #expect(isInherited && !restored.isPausedByEarlierRun && restored.pausedSince == wall)
        restored.paused(.endpoint, at: start, wall: wall.advanced(bySeconds: 900), using: &random)
        #expect(restored.pausedSince == wall.advanced(bySeconds: 900))
        restored.succeeded()
        #expect(restored.pausedSince == nil)
    }

    @Test func `the count of failures continues after a restart, and the next wait grows`() {
        var random = SeededGenerator(seed: 9)
        var retryState = RetryState()
        for _ in 1...6 { retryState.failed(at: start, retryAfter: nil, using: &random) }

        var restored = RetryState(retryState.stored(at: moment(start, boot: 1)), at: moment(start, boot: 1))
        let later = restored.notBefore
        restored.failed(at: later, retryAfter: nil, using: &random)

        #expect(restored.failures == 7)
        #expect(later.duration(to: restored.notBefore) >= .seconds(32))
    }

    private func moment(_ instant: MonotonicInstant, boot: UInt32) -> StoredMoment {
        StoredMoment(wall: Timestamp(microseconds: 0), monotonic: instant, boot: boot)
    }
}
