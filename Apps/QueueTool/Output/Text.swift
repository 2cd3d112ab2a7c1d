import EventDelivery
import EventOutbox
import Foundation

extension Timestamp {
    /// The local time of day to a millisecond, behind the date where it is not today's.
    func text(on now: Timestamp) -> String {
        let (own, today) = (local, now.local)
        let time = String(own.dropFirst(11).dropLast())
        return own.prefix(10) == today.prefix(10) ? time : "\(own.prefix(10)) \(time)"
    }

    /// The local time, written as if it were in UTC.
    private var local: String {
        let date = Date(timeIntervalSince1970: Double(seconds))
        return advanced(bySeconds: Int64(TimeZone.current.secondsFromGMT(for: date))).rfc3339
    }
}

/// A count with its noun.
func plural(_ count: Int, _ noun: String) -> String {
    "\(count.grouped) \(noun)\(count == 1 ? "" : "s")"
}
