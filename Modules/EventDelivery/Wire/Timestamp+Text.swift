extension Timestamp {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]

    /// The moment as a `Date` header writes it, such as `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 §5.6.7).
    ///
    /// Years outside 0…9999, which the format does not have, become the nearest moment that it has.
    package var httpDate: String {
        let (days, inDay) = Timestamp.floored(min(max(seconds, -62_167_219_200), 253_402_300_799), by: 86_400)
        let (year, month, day) = Timestamp.date(ofDay: days)
        let weekday = Timestamp.weekdays[Int(Timestamp.floored(days, by: 7).remainder)]
        let time = [inDay / 3600, inDay / 60 % 60, inDay % 60].map { Timestamp.padded($0, width: 2) }
        let date = "\(Timestamp.padded(day, width: 2)) \(Timestamp.months[Int(month) - 1])"
        return "\(weekday), \(date) \(Timestamp.padded(year, width: 4)) \(time.joined(separator: ":")) GMT"
    }

    /// Reads a date in each of the three forms that a recipient must accept (RFC 9110 §5.6.7).
    ///
    /// These are IMF-fixdate, RFC 850 and asctime. The name of the weekday is not checked.
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

    /// The day of a date, counted from 1 January 1970; the inverse of ``date(ofDay:)``.
    private static func day(ofYear year: Int64, month: Int64, day: Int64) -> Int64 {
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

    /// A year of four digits, or of the two that RFC 850 has, which stand for 1970…2069.
    private static func year(_ text: String) -> Int64? {
        guard text.utf8.count == 2 || text.utf8.count == 4, let year = number(text, in: 0...9999) else { return nil }
        guard text.utf8.count == 2 else { return year }
        return year < 70 ? 2000 + year : 1900 + year
    }

    private static func number(_ text: String, in range: ClosedRange<Int64>) -> Int64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text), range.contains(number)
        else { return nil }
        return number
    }
}

extension Timestamp {
    /// The moment in UTC with milliseconds, such as `2026-03-01T10:00:00.123Z` (RFC 3339), in every locale and zone.
    ///
    /// Years outside 0…9999, which the format does not have, become the nearest moment that it has.
    public var rfc3339: String {
        let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (days, inDay) = Timestamp.floored(bounded, by: 86_400_000)
        let (year, month, day) = Timestamp.date(ofDay: days)
        let time = [(inDay / 3_600_000, 2), (inDay / 60_000 % 60, 2), (inDay / 1000 % 60, 2), (inDay % 1000, 3)]
            .map(Timestamp.padded)
        let date = [(year, 4), (month, 2), (day, 2)].map(Timestamp.padded).joined(separator: "-")
        return "\(date)T\(time[0]):\(time[1]):\(time[2]).\(time[3])Z"
    }

    /// The proleptic Gregorian date of a day, counted from 1 January 1970.
    ///
    /// Years are counted from March, so that the leap day is a year's last, and in eras of 400 years.
    static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// Divides so that the remainder is never negative.
    static func floored(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = (value % divisor + divisor) % divisor
        return ((value - remainder) / divisor, remainder)
    }

    /// A number's digits, with zeros before them up to a width.
    static func padded(_ number: Int64, width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
