/// A generator of clickstreams in the REES46 columns.
enum Clickstream {
    /// Returns the text of a file.
    ///
    /// Every tenth row is a purchase; the others are views, cart additions and removals of users in turn.
    static func text(rows: Int) -> String {
        let header = "event_time,event_type,product_id,category_id,category_code,brand,price,user_id,user_session"
        let lines = (0..<rows).map { row in
            let kind =
                ["purchase", "cart", "remove_from_cart"].indices.contains(row % 10)
                ? ["purchase", "cart", "remove_from_cart"][row % 10] : "view"
            let second = row % 60 < 10 ? "0\(row % 60)" : "\(row % 60)"
            let user = row % 7
            return
                "2019-10-01 00:00:\(second) UTC,\(kind),\(1000 + row),2053,apparel.shoes,,\(row).50,\(user),s-\(user)"
        }
        return ([header] + lines).joined(separator: "\n") + "\n"
    }
}
