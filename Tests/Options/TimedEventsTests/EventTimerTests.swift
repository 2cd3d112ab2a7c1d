import CoreTracker
import CoreTrackerTesting
import Locks
import Testing
import TimedEvents

@Suite struct EventTimerTests {
    private let clock = ManualClock()

    @Test func `the time between the start and the event is the duration, in whole milliseconds`() {
        let timer = EventTimer(clock: clock)
        clock.advance(by: .microseconds(1_234_900))

        #expect(timer.elapsed == .microseconds(1_234_900))
        #expect(timer.elapsed.parameterValue == .int(1_234))
    }

    @Test func `pauses are left out, and a second pause or resume changes nothing`() {
        let timer = EventTimer(clock: clock)
        clock.advance(by: .seconds(1))
        timer.pause()
        clock.advance(by: .seconds(5))
        timer.pause()

        #expect(timer.isPaused)
        #expect(timer.elapsed == .seconds(1))

        timer.resume()
        clock.advance(by: .seconds(2))
        timer.resume()
        clock.advance(by: .seconds(3))

        #expect(!timer.isPaused)
        #expect(timer.elapsed == .seconds(6))
    }

    @Test func `a restart begins at zero, also after a pause`() {
        let timer = EventTimer(clock: clock)
        clock.advance(by: .seconds(1))
        timer.pause()
        timer.restart()
        clock.advance(by: .seconds(2))

        #expect(timer.elapsed == .seconds(2))
    }

    @Test func `a clock that goes back gives no negative duration`() {
        let timer = EventTimer(clock: clock)
        clock.advance(by: .seconds(-3))

        #expect(timer.elapsed == .zero)
    }

    @Test func `the duration is a parameter of the event that ends it`() {
        let tracker = MockTracker()

        let timer = EventTimer()
        // The user fills in the form.
        tracker.track(FormSent(elapsed: timer.elapsed))

        let sent = tracker.events(of: FormSent.self)
        #expect(sent.count == 1)
        #expect(sent.allSatisfy { $0.elapsed >= .zero && $0.elapsed < .seconds(60) })
    }
}

struct FormSent: CoreTrackable {
    static let duration = EventParameter.Key<Duration>("duration_ms")
    let elapsed: Duration

    var services: [EventService] {
        AwesomeTrackingEvent("form_sent", [FormSent.duration(elapsed)])
    }
}

/// A clock whose time a test moves.
private final class ManualClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private let time = Mutex(Swift.Duration.zero)

    var now: Instant { Instant(offset: time.withLock { $0 }) }
    let minimumResolution = Swift.Duration.nanoseconds(1)

    func advance(by duration: Swift.Duration) { time.withLock { $0 += duration } }
    func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
