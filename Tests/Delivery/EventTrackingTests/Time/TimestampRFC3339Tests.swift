import EventDelivery
import EventTracking
import Foundation
import Testing

@Suite struct TimestampRFC3339Tests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_772_359_201_250_999, "2026-03-01T10:00:01.250Z"),
            (951_782_400_000_000, "2000-02-29T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (-2_203_891_200_000_000, "1900-03-01T00:00:00.000Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
            (Int64.min, "0000-01-01T00:00:00.000Z"),
        ]
    )
    func `a timestamp has the same text in every locale`(microseconds: Int64, text: String) {
        #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
    }

    @Test func `the date of every week in seven centuries equals Foundation's`() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

        for day in stride(from: Int64(-135_140), to: 146_097, by: 7) {
            let seconds = day * 86_400 + 43_199
            let expected = Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(style)
            if Timestamp(microseconds: seconds * 1_000_000).rfc3339 != expected { Issue.record("\(expected)") }
        }
    }
}
