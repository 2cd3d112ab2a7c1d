import EventDelivery

/// A parser for the times of the file, such as `2019-10-01 00:00:00 UTC`.
enum ReplayTime {
    /// Parses a time.
    ///
    /// The zone is optional and must be UTC. Returns `nil` for any other text.
    static func parse(_ text: String) -> Timestamp? {
        var bytes = Array(text.utf8)
        if bytes.suffix(4).elementsEqual(" UTC".utf8) { bytes.removeLast(4) }
        guard bytes.count == 19, bytes[4] == dash, bytes[7] == dash, bytes[10] == UInt8(ascii: " "),
            bytes[13] == colon, bytes[16] == colon,
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            (1...12).contains(month), (1...days(of: month, year: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
        let days = daysSince1970(year: year, month: month, day: day)
        return Timestamp(microseconds: Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1_000_000)
    }

    private static let dash = UInt8(ascii: "-")
    private static let colon = UInt8(ascii: ":")

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.reduce(Optional(0)) { sum, byte in
            let digit = byte &- UInt8(ascii: "0")
            return digit < 10 ? sum.map { $0 * 10 + Int(digit) } : nil
        }
    }

    private static func days(of month: Int, year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Returns the number of days by the Gregorian calendar, with years that start in March.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
