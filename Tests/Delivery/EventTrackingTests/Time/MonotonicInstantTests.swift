import EventTracking
import Testing

@Suite struct MonotonicInstantTests {
    @Test(arguments: [
        (Int64(0), Int64(5), Int64(5)), (5, 0, -5), (.min, 1, .max), (1, .min, .min), (.max, .min, .min),
        (.min, .min, 0),
    ])
    func `a duration to another instant saturates`(start: Int64, end: Int64, nanoseconds: Int64) {
        let duration = MonotonicInstant(nanoseconds: start).duration(to: MonotonicInstant(nanoseconds: end))

        #expect(duration == .nanoseconds(nanoseconds))
    }

    @Test(arguments: [
        (Int64(0), Duration.seconds(1), Int64(1_000_000_000)), (.max, .nanoseconds(1), .max),
        (5, .nanoseconds(-6), -1), (1, .seconds(Int64.max), .max),
        (0, .seconds(Int64.max) + .seconds(Int64.max), .max), (0, .seconds(Int64.min) - .seconds(1), .min),
        (.min, .nanoseconds(-1), .min), (-1, .milliseconds(-1500), -1_500_000_001),
    ])
    func `an instant after a duration saturates`(start: Int64, duration: Duration, end: Int64) {
        #expect(MonotonicInstant(nanoseconds: start).advanced(by: duration) == MonotonicInstant(nanoseconds: end))
    }
}
