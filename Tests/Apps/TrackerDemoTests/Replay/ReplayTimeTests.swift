import EventDelivery
import Testing

@testable import TrackerDemo

@Suite struct ReplayTimeTests {
    @Test(arguments: [
        ("1970-01-01 00:00:00 UTC", 0), ("2019-10-01 00:00:00 UTC", 1_569_888_000),
        ("2019-10-01 00:00:00", 1_569_888_000), ("2020-02-29 23:59:59 UTC", 1_583_020_799),
        ("2000-03-01 12:00:00 UTC", 951_912_000), ("1969-12-31 23:59:59 UTC", -1),
    ]) func `a time is read to the second`(_ text: String, _ seconds: Int64) {
        #expect(ReplayTime.parse(text) == Timestamp(microseconds: seconds * 1_000_000))
    }

    @Test(arguments: [
        "", "2019-10-01", "2019-10-01 00:00:00 CET", "2019-13-01 00:00:00 UTC", "2019-02-29 00:00:00 UTC",
        "2019-10-00 00:00:00 UTC", "2019-10-01 24:00:00 UTC", "2019-10-01 00:60:00 UTC", "2019-10-01 00:00:60 UTC",
        "2019-1a-01 00:00:00 UTC", "2019/10/01 00:00:00 UTC", " 2019-10-01 00:00:00 UTC",
    ]) func `anything else is no time`(_ text: String) {
        #expect(ReplayTime.parse(text) == nil)
    }
}
