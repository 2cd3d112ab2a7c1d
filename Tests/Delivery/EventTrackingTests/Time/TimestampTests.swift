import EventTracking
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        (Int64.min, -9_223_372_036_854_776, -9_223_372_036_855), (-1_000_001, -1_001, -2), (-1_000_000, -1_000, -1),
        (-1, -1, -1), (0, 0, 0), (999_999, 999, 0), (1_000_000, 1_000, 1),
        (.max, 9_223_372_036_854_775, 9_223_372_036_854),
    ])
    func `milliseconds and seconds are rounded towards the past, over the whole range`(
        microseconds: Int64,
        milliseconds: Int64,
        seconds: Int64
    ) {
        let time = Timestamp(microseconds: microseconds)

        #expect(time.milliseconds == milliseconds)
        #expect(time.seconds == seconds)
    }
}
