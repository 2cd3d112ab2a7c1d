import EventDelivery
import EventOutbox
import Foundation

extension Timestamp {
    /// Returns the local time to a millisecond, after the date if it is not today.
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

/// Returns a count with its noun.
func plural(_ count: Int, _ noun: String) -> String {
    "\(count.grouped) \(noun)\(count == 1 ? "" : "s")"
}

extension String {
    /// The text with its control and format characters escaped as in Swift.
    var printable: String {
        var text = ""
        for scalar in unicodeScalars {
            guard scalar.actsOnTerminals else {
                text.unicodeScalars.append(scalar)
                continue
            }
            text += scalar.escaped(asASCII: true)
        }
        return text
    }

    /// Returns the text padded with spaces to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}

extension [UInt8] {
    /// A JSON value whose control and format characters are written as `\u` escapes.
    var printableJSON: [UInt8] {
        guard contains(where: { $0 < 0x20 || $0 >= 0x7F }) else { return self }
        var text = ""
        for scalar in String(decoding: self, as: UTF8.self).unicodeScalars {
            guard scalar.actsOnTerminals else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return Array(text.utf8)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal may act on the character instead of showing it, for example reverse the text after it.
    fileprivate var actsOnTerminals: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
