import CoreTracker
import EventDelivery

extension JSONWriter {
    /// The maximum nesting depth of a parameter.
    ///
    /// Each level takes up to three messages, and parsers of protobuf accept 100.
    private static let maximumValueDepth = 16

    /// Writes a time in nanoseconds since 1970 as a string.
    ///
    /// The wire format supports the years 1970 to 2554. A time outside this range becomes the nearest time in it.
    mutating func nanoseconds(_ time: Timestamp) {
        let (product, overflow) = UInt64(clamping: time.microseconds).multipliedReportingOverflow(by: 1_000)
        verbatim(String(overflow ? .max : product))
    }

    /// Writes an attribute.
    ///
    /// A value without a JSON form is left out and counted.
    mutating func attribute(_ name: String, _ value: ParameterValue) {
        attribute(name, value, depth: 1)
    }

    /// Writes traits of a group, and removes others.
    ///
    /// - Parameters:
    ///   - name: The attribute's key.
    ///   - traits: The traits to set.
    ///   - removed: The names of the traits to remove.
    mutating func attribute(_ name: String, _ traits: EventParameters, removing removed: [ParameterKey]) {
        beginObject()
        key(fixed: "key")
        string(name)
        key(fixed: "value")
        beginObject()
        beginValues(fixed: "kvlistValue")
        for trait in traits { attribute(trait.key.name, trait.value, depth: 2) }
        for key in removed { absentAttribute(key.name) }
        endValues()
        endObject()
        endObject()
    }

    /// Writes an attribute without a value, which OpenTelemetry treats as null.
    ///
    /// - Parameter name: The attribute's key.
    mutating func absentAttribute(_ name: String) {
        beginObject()
        key(fixed: "key")
        string(name)
        key(fixed: "value")
        beginObject()
        endObject()
        endObject()
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

    /// Writes an `AnyValue` with exactly one member, or with none if the value has no JSON form.
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

    /// Counts a value without a JSON form and writes nothing.
    private mutating func countLoss() {
        let mark = mark
        double(.nan)
        rewind(to: mark)
    }
}
