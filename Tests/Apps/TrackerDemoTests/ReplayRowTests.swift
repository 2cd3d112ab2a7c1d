import EventDelivery
import Testing

@testable import TrackerDemo

@Suite struct ReplayRowTests {
    private static let columns =
        "event_time,event_type,product_id,category_id,category_code,brand,price,user_id,user_session"

    @Test func `a row is read by its header`() throws {
        let line = "2019-10-01 00:00:01 UTC,remove_from_cart,17,2053,furniture.sofa,,543.10,519,s-1"

        let row = try ReplayRowTests.row(line)

        #expect(row.time == Timestamp(microseconds: 1_569_888_001_000_000))
        #expect(row.kind == .removeFromCart)
        #expect(row.productID == "17" && row.category == "furniture.sofa" && row.brand == "")
        #expect(row.price == 543.1 && row.user == "519" && row.session == "s-1")
    }

    @Test(arguments: ["0", "-79.37", "+1", "1e2", ".5", "35.79"]) func `any decimal number is a price`(
        _ price: String
    ) throws {
        #expect(try ReplayRowTests.row("2019-10-01 00:00:00 UTC,view,1,2,c,b,\(price),u,s").price.isFinite)
    }

    @Test func `an anonymous user has an empty id`() throws {
        #expect(try ReplayRowTests.row("2019-10-01 00:00:00 UTC,view,1,2,c,b,1,,s").user.isEmpty)
    }

    @Test(arguments: [
        ("2019-10-01 00:00:00 UTC,view,1,2,c,b,1,u", "9 fields expected, 8 found"),
        ("2019-10-01 00:00:00 UTC,view,1,2,c,b,1,u,s,x", "9 fields expected, 10 found"),
        ("yesterday,view,1,2,c,b,1,u,s", "event_time 'yesterday'"),
        (",view,1,2,c,b,1,u,s", "event_time is empty"),
        ("2019-10-01 00:00:00 UTC,View,1,2,c,b,1,u,s", "event_type 'View'"),
        ("2019-10-01 00:00:00 UTC,view,,2,c,b,1,u,s", "product_id is empty"),
        ("2019-10-01 00:00:00 UTC,view,1,2,c,b,,u,s", "price is empty"),
        ("2019-10-01 00:00:00 UTC,view,1,2,c,b,nan,u,s", "price 'nan'"),
        ("2019-10-01 00:00:00 UTC,view,1,2,c,b,1e999,u,s", "price '1e999'"),
        ("2019-10-01 00:00:00 UTC,view,1,2,c,b,0x10,u,s", "price '0x10'"),
        ("2019-10-01 00:00:00 UTC,view,1,2,c,b,1,u,", "user_session is empty"),
    ]) func `a row that cannot be replayed has a reason`(_ line: String, _ reason: String) {
        #expect(throws: MalformedRow(reason)) { try ReplayRowTests.row(line) }
    }

    private static func row(_ line: String) throws -> ReplayRow {
        try ReplayRow(Array(line.utf8), header: ReplayHeader(Array(columns.utf8)))
    }
}

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
    ]) func `any other text is not a time`(_ text: String) {
        #expect(ReplayTime.parse(text) == nil)
    }
}

@Suite struct ProductTests {
    @Test(arguments: [
        ("72d76fde-8bb3-4e00-8c23-a032dfed738c", Product.dolapLite),
        ("9333dfbd-b87a-4708-9857-6336556b0fcc", Product.dolapLite),
        ("566511c2-e2e3-422b-b695-cf8e6e792ca8", Product.dolapLite),
        ("", Product.dolapLite),
    ]) func `a session belongs to the same product in every run and release`(_ session: String, _ product: Product) {
        #expect(Product.of(session: session) == product)
    }

    @Test func `sessions are distributed evenly`() {
        let count = (0..<10_000).count { Product.of(session: "session-\($0)") == .dolapLite }

        #expect((4_700...5_300).contains(count))
    }
}

@Suite struct SessionStartsTests {
    @Test func `a session keeps the time of its first event`() {
        var starts = SessionStarts()

        let times = [1, 5, 9].map { starts.start(of: "a", at: Timestamp(microseconds: $0)).microseconds }

        #expect(times == [1, 1, 1])
    }

    @Test func `a session that is seen again is remembered, one that is not is forgotten`() {
        var starts = SessionStarts(capacity: 10)
        for number in 0..<100 {
            _ = starts.start(of: "seen", at: Timestamp(microseconds: Int64(number)))
            _ = starts.start(of: "session-\(number)", at: Timestamp(microseconds: Int64(number)))
        }

        let seen = starts.start(of: "seen", at: Timestamp(microseconds: 200))
        let unseen = starts.start(of: "session-3", at: Timestamp(microseconds: 200))

        #expect(seen.microseconds == 0)
        #expect(unseen.microseconds == 200)
    }
}
