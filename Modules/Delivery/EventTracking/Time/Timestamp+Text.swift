extension Timestamp {
    /// The timestamp in UTC with milliseconds, such as `2026-03-01T10:00:00.123Z` (RFC 3339), in every locale and zone.
    ///
    /// The format only supports the years 0…9999. Other timestamps become the nearest supported one.
    public var rfc3339: String {
        let bounded = min(max(milliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (days, inDay) = Timestamp.floored(bounded, by: 86_400_000)
        let (year, month, day) = Timestamp.date(ofDay: days)
        let time = [(inDay / 3_600_000, 2), (inDay / 60_000 % 60, 2), (inDay / 1000 % 60, 2), (inDay % 1000, 3)]
            .map(Timestamp.padded)
        let date = [(year, 4), (month, 2), (day, 2)].map(Timestamp.padded).joined(separator: "-")
        return "\(date)T\(time[0]):\(time[1]):\(time[2]).\(time[3])Z"
    }

    /// Returns the proleptic Gregorian date of a day, counted from 1 January 1970.
    ///
    /// Years start in March, which makes the leap day the last day of a year, and are grouped in eras of 400 years.
    ///
    /// - Parameter days: The number of days since 1 January 1970.
    package static func date(ofDay days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }

    /// Divides with a nonnegative remainder.
    ///
    /// - Parameters:
    ///   - value: The dividend.
    ///   - divisor: The positive divisor.
    package static func floored(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let remainder = (value % divisor + divisor) % divisor
        return ((value - remainder) / divisor, remainder)
    }

    /// Returns a number's digits, padded with zeros.
    ///
    /// - Parameters:
    ///   - number: The number, which must not be negative.
    ///   - width: The minimum number of digits.
    package static func padded(_ number: Int64, width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
