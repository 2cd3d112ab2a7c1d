import CoreTracker
import EventTracking

/// A coder that writes or reads the fields of a row, each at the same place in the row's bytes.
///
/// A row calls it once for each field, in a fixed order, for both directions. An integer is stored in 7-bit groups, the
/// lowest group first. A text, a list and bytes follow their length.
///
/// An unreadable field marks the row as damaged. The field and all later ones are empty then.
package struct RowCoder {
    /// The written bytes, or the bytes to read.
    private(set) var bytes: [UInt8]
    /// Whether the coder reads.
    let isReading: Bool
    /// Whether a field could not be read.
    private(set) var isDamaged = false
    private var offset = 0

    /// Creates a coder that writes.
    init() { (bytes, isReading) = ([], false) }

    /// Creates a coder that reads.
    init(reading bytes: [UInt8]) { (self.bytes, isReading) = (bytes, true) }

    /// Whether all bytes were read, and nothing was missing.
    var isComplete: Bool { !isDamaged && offset == bytes.count }

    /// Writes or reads an integer.
    mutating func code<Value: FixedWidthInteger>(_ value: inout Value) {
        guard isReading else { return write(UInt64(truncatingIfNeeded: value)) }
        let number = read()
        value = Value(truncatingIfNeeded: number)
        if UInt64(truncatingIfNeeded: value) != number { fail(&value, 0) }
    }

    /// Writes or reads whether a condition is true.
    mutating func code(_ flag: inout Bool) {
        var number: UInt8 = flag ? 1 : 0
        code(&number)
        flag = number == 1
        if number > 1 { fail(&flag, false) }
    }

    /// Writes or reads a value by its name.
    mutating func code<Value: RawRepresentable<String>>(_ value: inout Value) {
        var name = value.rawValue
        code(&name)
        if let read = Value(rawValue: name) { value = read } else { isDamaged = true }
    }

    /// Writes or reads the name of a lane.
    mutating func code(_ lane: inout LaneID) {
        var (product, service) = (lane.product, lane.service)
        code(&product)
        code(&service)
        if isReading { lane = LaneID(product: product, service: service) }
    }

    /// Writes or reads a user's hash, or that there is none.
    mutating func code(_ user: inout UserHash?) {
        code(&user, from: .nobody) { user, coder in
            var number = user.rawValue
            coder.code(&number)
            user = UserHash(rawValue: number)
        }
    }

    /// Writes or reads a time.
    mutating func code(_ time: inout Timestamp) {
        var microseconds = time.microseconds
        code(&microseconds)
        time = Timestamp(microseconds: microseconds)
    }

    /// Writes or reads a text of at most the given number of bytes.
    mutating func code(_ text: inout String, limit: Int = RowText.longestName) {
        guard isReading else {
            write(UInt64(text.utf8.count))
            return bytes.append(contentsOf: text.utf8)
        }
        text = String(decoding: readBytes(limit: limit), as: UTF8.self)
    }

    /// Writes or reads bytes.
    mutating func code(_ blob: inout [UInt8]) {
        guard isReading else {
            write(UInt64(blob.count))
            return bytes.append(contentsOf: blob)
        }
        blob = Array(readBytes(limit: .max))
    }

    /// Writes or reads an optional value.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - empty: The value from which reading starts.
    ///   - body: Writes or reads the value if it is present.
    mutating func code<Value>(_ value: inout Value?, from empty: Value, _ body: (inout Value, inout RowCoder) -> Void) {
        var isPresent = value != nil
        code(&isPresent)
        guard isPresent else { return value = nil }
        var present = value ?? empty
        body(&present, &self)
        value = isDamaged ? nil : present
    }

    /// Writes or reads a list.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - empty: The element from which reading starts.
    ///   - body: Writes or reads an element.
    mutating func code<Element>(
        _ list: inout [Element],
        from empty: Element,
        _ body: (inout Element, inout RowCoder) -> Void
    ) {
        guard isReading else {
            write(UInt64(list.count))
            for var element in list { body(&element, &self) }
            return
        }
        let count = read()
        list = []
        while !isDamaged, list.count < count {
            var element = empty
            body(&element, &self)
            if !isDamaged { list.append(element) }
        }
    }

    /// Writes or reads counts by their names, in the order of the names.
    mutating func code(_ counts: inout [String: Int]) {
        var list = isReading || counts.isEmpty ? [] : counts.sorted(by: \.key)
        code(&list, from: ("", 0)) { entry, coder in
            var (name, count) = (entry.key, entry.value)
            coder.code(&name)
            coder.code(&count)
            entry = (name, count)
        }
        if isReading { counts = list.keyed { ($0.key, $0.value) } }
    }

    private mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func read() -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while !isDamaged, offset < bytes.count, shift < 64 {
            let byte = UInt64(bytes[offset])
            offset += 1
            number |= (byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        isDamaged = true
        return 0
    }

    private mutating func readBytes(limit: Int) -> ArraySlice<UInt8> {
        let count = read()
        guard !isDamaged, count <= UInt64(min(limit, bytes.count - offset)) else {
            isDamaged = true
            return []
        }
        defer { offset += Int(count) }
        return bytes[offset..<(offset + Int(count))]
    }

    private mutating func fail<Value>(_ value: inout Value, _ empty: Value) {
        (value, isDamaged) = (empty, true)
    }
}

/// The limits on texts in rows, in bytes.
///
/// A longer text is damage.
enum RowText {
    /// The maximum size of a text that is not a name.
    static let longest = 65_536
    /// The maximum size of a name, such as that of a product or of a purpose.
    static let longestName = 1_024
}
