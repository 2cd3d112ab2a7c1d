/// A checker of fields in a request, which collects messages about faults.
struct FieldChecker {
    /// The maximum age of an event of the Measurement Protocol: 72 hours.
    private static let maximumAge: Int64 = 72 * 60 * 60 * 1_000_000

    /// The kind of data stream, for the Measurement Protocol.
    var stream = MeasurementProtocolValidation.Stream.app
    /// The time of arrival, in microseconds since 1970, or `nil` to check no ages.
    var time: Int64?
    /// The messages so far.
    private(set) var messages: [ValidationMessage] = []
    /// An ISO 8601 time with a zone, as in Adobe's and Braze's references.
    ///
    /// It is kept because each evaluation of the literal parses it, which takes longer than a match.
    lazy var isoTime =
        /[0-9]{4}-[0-1][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9](?:\.[0-9]+)?(?:Z|[+\-][0-2][0-9]:?[0-5][0-9])/

    /// Creates a checker without messages.
    init(stream: MeasurementProtocolValidation.Stream = .app, time: Int64? = nil) {
        self.stream = stream
        self.time = time
    }

    /// Adds a message, with the receiver's status and code if it documents them.
    mutating func add(
        _ code: ValidationMessage.Code,
        _ path: String,
        _ description: String,
        response: (status: Int, code: String)? = nil
    ) {
        messages.append(ValidationMessage(code, path, description, response: response))
    }

    /// Checks the type of a request against the given types.
    mutating func checkContentType(_ head: CollectedHead, isOneOf types: [String], code: String = "") {
        let type = head.headers["content-type"]?.split(separator: ";").first.map { $0.lowercased() } ?? ""
        if !types.contains(type) {
            add(
                .valueInvalid,
                "",
                "The Content-Type must be \(types.joined(separator: " or ")).",
                response: (415, code)
            )
        }
    }

    /// Checks that a name is a letter, followed by letters, digits and underscores.
    ///
    /// The name must be neither too long nor reserved.
    mutating func checkName(
        _ name: String,
        at path: String,
        atMost length: Int = 40,
        reserved: Set<String> = [],
        prefixes: [String] = ["_", "firebase_", "ga_", "google_"]
    ) {
        let first = name.utf8.first ?? 0
        let isPlain = name.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "_") }
        if reserved.contains(name) || prefixes.contains(where: { name.hasPrefix($0) }) {
            add(.nameReserved, path, "The name \(name) is reserved.")
        } else if !isPlain || (first | 0x20) &- 0x61 >= 26 {
            add(.nameInvalid, path, "The name \(name) must be a letter, followed by letters, digits and underscores.")
        } else if name.utf8.count > length {
            add(.nameInvalid, path, "The name \(name) has \(name.utf8.count) characters; the maximum is \(length).")
        }
    }

    /// Checks the type and the length of a text.
    mutating func checkText(_ value: CollectedValue, at path: String, atMost length: Int) {
        guard case .string(let text) = value else { return add(.valueInvalid, path, "It must be text.") }
        if text.unicodeScalars.count > length {
            add(.valueOutOfBounds, path, "It has \(text.unicodeScalars.count) characters; the maximum is \(length).")
        }
    }

    /// Checks the type of a number or text, and the length of a text.
    mutating func checkScalar(_ value: CollectedValue, at path: String, atMost length: Int) {
        switch value {
        case .int, .double: break
        case .string: checkText(value, at: path, atMost: length)
        case .null, .bool, .array, .object: add(.valueInvalid, path, "It must be text or a number.")
        }
    }

    /// Checks that a value is a time in microseconds, in the past, and within the last 72 hours.
    mutating func checkTime(_ value: CollectedValue, at path: String) {
        guard case .int(let time) = value, time > 0 else {
            return add(.valueInvalid, path, "It must be a number of microseconds since 1970.")
        }
        guard let arrival = self.time else { return }
        if time > arrival { add(.valueOutOfBounds, path, "It must be in the past.") }
        if time < arrival - FieldChecker.maximumAge { add(.valueOutOfBounds, path, "It must be at most 72 hours ago.") }
    }

    /// Checks the user properties.
    mutating func checkUserProperties(_ properties: CollectedValue) {
        let path = "user_properties"
        guard case .object(let members) = properties else { return add(.valueInvalid, path, "It must be an object.") }
        if members.count > 25 { add(.exceededMaxEntities, path, "There are \(members.count); the maximum is 25.") }
        for (name, property) in members.sorted(by: { $0.key < $1.key }) {
            checkName(name, at: path, atMost: 24, reserved: MeasurementProtocolRules.reservedProperties)
            guard case .object(let parts) = property, let value = parts["value"],
                Set(parts.keys).isSubset(of: ["value", "timestamp_micros"])
            else {
                add(.valueInvalid, "\(path).\(name)", "It must have a value and optionally timestamp_micros.")
                continue
            }
            // A value of `null` removes the property.
            if value != .null { checkScalar(value, at: "\(path).\(name)", atMost: 36) }
            if let time = parts["timestamp_micros"] { checkTime(time, at: "\(path).\(name).timestamp_micros") }
        }
    }
}
