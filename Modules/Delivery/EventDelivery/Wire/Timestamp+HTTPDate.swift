package import EventTracking

extension Timestamp {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// The timestamp in the format of a `Date` header, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    ///
    /// The format only supports the years 0…9999. Other timestamps become the nearest supported one.
    package var httpDate: String {
        let (days, inDay) = Timestamp.floored(min(max(seconds, -62_167_219_200), 253_402_300_799), by: 86_400)
        let (year, month, day) = Timestamp.date(ofDay: days)
        let weekday = Timestamp.weekdays[Int(Timestamp.floored(days, by: 7).remainder)]
        let time = [inDay / 3600, inDay / 60 % 60, inDay % 60].map { Timestamp.padded($0, width: 2) }
        let date = "\(Timestamp.padded(day, width: 2)) \(Timestamp.months[Int(month) - 1])"
        return "\(weekday), \(date) \(Timestamp.padded(year, width: 4)) \(time.joined(separator: ":")) GMT"
    }

    /// Parses a date in each of the three formats that a recipient must accept (RFC 9110 §5.6.7).
    ///
    /// These are IMF-fixdate, RFC 850 and asctime. The name of the weekday is not checked.
    ///
    /// - Parameter text: The value of the header.
    package init?(httpDate text: String) {
        var fields = text.split { $0 == " " || $0 == "," || $0 == "-" }.dropFirst().map(String.init)
        let isAsctime = fields.first.map { Timestamp.months.contains($0) } ?? false
        if isAsctime, fields.count == 4 {
            fields = [fields[1], fields[0], fields[3], fields[2]]
        } else {
            guard fields.popLast() == "GMT" else { return nil }
        }
        guard fields.count == 4, let day = Timestamp.number(fields[0], in: 1...31),
            let month = Timestamp.months.firstIndex(of: fields[1]), let year = Timestamp.year(fields[2]),
            let second = Timestamp.secondOfDay(fields[3])
        else { return nil }
        let days = Timestamp.day(ofYear: year, month: Int64(month) + 1, day: day)
        self.init(microseconds: (days * 86_400 + second) * 1_000_000)
    }

    /// Returns the day of a date, counted from 1 January 1970.
    ///
    /// The inverse of ``date(ofDay:)``.
    package static func day(ofYear year: Int64, month: Int64, day: Int64) -> Int64 {
        let fromMarch = month > 2 ? year : year - 1
        let (era, yearOfEra) = floored(fromMarch, by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func secondOfDay(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, parts.allSatisfy({ $0.utf8.count == 2 }), let hour = number(parts[0], in: 0...23),
            let minute = number(parts[1], in: 0...59),
            let second = number(parts[2], in: 0...60)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Parses a year of four digits, or of the two digits of RFC 850, which mean 1970…2069.
    private static func year(_ text: String) -> Int64? {
        guard text.utf8.count == 2 || text.utf8.count == 4, let year = number(text, in: 0...9999) else { return nil }
        guard text.utf8.count == 2 else { return year }
        return year < 70 ? 2000 + year : 1900 + year
    }

    private static func number(_ text: String, in range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else { return nil }
        return range.contains(Int64(number)) ? Int64(number) : nil
    }
}
