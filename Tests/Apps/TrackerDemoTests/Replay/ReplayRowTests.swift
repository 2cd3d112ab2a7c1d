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
