import CoreTracker
import EventDelivery

extension JSONWriter {
    /// The deepest nesting of a parameter; each level is up to three messages, and parsers of protobuf end at 100.
    private static let maximumValueDepth = 16

    /// Writes a moment in nanoseconds since 1970, as text; the nearest of the years 1970 to 2554 that the wire has.
    mutating func nanoseconds(_ time: Timestamp) {
        let (product, overflow) = UInt64(clamping: time.microseconds).multipliedReportingOverflow(by: 1_000)
        verbatim(String(overflow ? .max : product))
    }

    /// Writes an attribute; one whose value has no JSON is left out and counted.
    mutating func attribute(_ name: String, _ value: ParameterValue) {
        attribute(name, value, depth: 1)
    }

    private mutating func attribute(_ name: String, _ value: ParameterValue, depth: Int) {
        if case .double(let number) = value, !number.isFinite { return countLoss() }
        beginObject()
        key(fixed: "key")
        string(name)
        key(fixed: "value")
        anyValue(value, depth: depth)
        endObject()
    }

    /// Writes an `AnyValue`: exactly one member, or none for what has no JSON.
    private mutating func anyValue(_ value: ParameterValue, depth: Int) {
        beginObject()
        switch value {
        case .string(let text):
            key(fixed: "stringValue")
            string(text)
        case .int(let number):
            key(fixed: "intValue")
            verbatim(String(number))
        case .double(let number) where number.isFinite:
            key(fixed: "doubleValue")
            double(number)
        case .bool(let flag):
            key(fixed: "boolValue")
            bool(flag)
        case .array(let elements) where depth <= JSONWriter.maximumValueDepth:
            beginValues(fixed: "arrayValue")
            for element in elements { anyValue(element, depth: depth + 1) }
            endValues()
        case .object(let parameters) where depth <= JSONWriter.maximumValueDepth:
            beginValues(fixed: "kvlistValue")
            for parameter in parameters { attribute(parameter.key.name, parameter.value, depth: depth + 1) }
            endValues()
        case .double, .array, .object: countLoss()
        }
        endObject()
    }

    private mutating func beginValues(fixed name: StaticString) {
        key(fixed: name)
        beginObject()
        key(fixed: "values")
        beginArray()
    }

    private mutating func endValues() {
        endArray()
        endObject()
    }

    /// Counts a value that has no JSON, and writes nothing.
    private mutating func countLoss() {
        let mark = mark
        double(.nan)
        rewind(to: mark)
    }
}
