extension FieldChecker {
    /// Checks one event.
    mutating func checkEvent(_ event: CollectedValue, at path: String) {
        guard case .object(let members) = event else { return add(.valueInvalid, path, "It must be an object.") }
        for name in members.keys.sorted() where !["name", "params", "timestamp_micros"].contains(name) {
            add(.nameInvalid, path, "An event has no member \(name).")
        }
        if let time = members["timestamp_micros"] { checkTime(time, at: "\(path).timestamp_micros") }
        guard case .string(let name)? = members["name"], !name.isEmpty else {
            return add(.valueRequired, "\(path).name", "An event needs a name.")
        }
        checkName(
            name,
            at: path,
            reserved: MeasurementProtocolRules.reservedEvents(of: stream),
            prefixes: MeasurementProtocolRules.reservedPrefixes(of: stream)
        )
        switch members["params"] {
        case .object(let parameters)?: checkParameters(parameters, of: name, at: "\(path).params")
        case nil: checkParameters([:], of: name, at: "\(path).params")
        default: add(.valueInvalid, "\(path).params", "It must be an object.")
        }
    }

    private mutating func checkParameters(
        _ parameters: [String: CollectedValue],
        of event: String,
        at path: String
    ) {
        if parameters.count > 25 {
            add(.exceededMaxEntities, path, "There are \(parameters.count) parameters; the maximum is 25.")
        }
        for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
            checkName(
                name,
                at: path,
                reserved: ["firebase_conversion"],
                prefixes: ["_", "firebase_", "ga_", "google_", "gtag."]
            )
            let place = "\(path).\(name)"
            switch (name, value) {
            case ("items", _): checkItems(value, at: place)
            case ("debug_mode", .bool(true)): break
            default: checkScalar(value, at: place, atMost: MeasurementProtocolRules.maximumStringLengths[name] ?? 100)
            }
        }
        checkCommerce(parameters, of: event, at: path)
        checkSession(parameters, at: path)
    }

    private mutating func checkSession(_ parameters: [String: CollectedValue], at path: String) {
        for name in ["session_id", "engagement_time_msec"] {
            guard let value = parameters[name] else { continue }
            let isPositive =
                switch value {
                case .int(let number): number > 0
                case .double(let number): number > 0
                case .string(let digits): (Int64(digits) ?? 0) > 0
                case .null, .bool, .array, .object: false
                }
            if !isPositive { add(.valueInvalid, "\(path).\(name)", "It must be a positive number.") }
        }
    }

    /// Checks the requirements of e-commerce events: their required parameters, and that value and currency occur
    /// together.
    private mutating func checkCommerce(
        _ parameters: [String: CollectedValue],
        of event: String,
        at path: String
    ) {
        for name in MeasurementProtocolRules.required[event] ?? [] where isAbsent(parameters[name]) {
            add(.valueRequired, "\(path).\(name)", "The event \(event) requires it.")
        }
        if parameters["value"] != nil, MeasurementProtocolRules.needsCurrency(event), parameters["currency"] == nil {
            add(.valueRequired, "\(path).currency", "A value requires a currency.")
        }
        guard let currency = parameters["currency"] else { return }
        if parameters["value"] == nil {
            add(.valueRequired, "\(path).value", "A currency requires a value.")
        }
        checkCurrency(currency, at: "\(path).currency")
    }

    private mutating func checkCurrency(_ value: CollectedValue, at path: String) {
        let code = value.string?.utf8.map { $0 } ?? []
        if code.count != 3 || !code.allSatisfy({ $0 &- 0x41 < 26 }) {
            add(.valueInvalid, path, "It must be an ISO 4217 code of three capital letters.")
        }
    }

    private func isAbsent(_ value: CollectedValue?) -> Bool {
        value == nil || value == .string("") || value == .array([])
    }

    private mutating func checkItems(_ items: CollectedValue, at path: String) {
        guard case .array(let elements) = items else { return add(.valueInvalid, path, "It must be a list.") }
        if elements.isEmpty { add(.valueRequired, path, "The list must have at least one item.") }
        if elements.count > 200 {
            add(.exceededMaxEntities, path, "There are \(elements.count) items; the maximum is 200.")
        }
        for (index, element) in elements.enumerated() { checkItem(element, at: "\(path)[\(index)]") }
    }

    private mutating func checkItem(_ item: CollectedValue, at path: String) {
        guard case .object(let members) = item else { return add(.valueInvalid, path, "It must be an object.") }
        if isAbsent(members["item_id"]), isAbsent(members["item_name"]) {
            add(.valueRequired, path, "An item needs item_id or item_name.")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            checkName(name, at: path)
            let place = "\(path).\(name)"
            switch value {
            case .string where MeasurementProtocolRules.itemNumbers.contains(name):
                add(.valueInvalid, place, "It must be a number.")
            case .int where MeasurementProtocolRules.itemTexts.contains(name),
                .double where MeasurementProtocolRules.itemTexts.contains(name):
                add(.valueInvalid, place, "It must be text.")
            default: checkScalar(value, at: place, atMost: 100)
            }
        }
        let known = MeasurementProtocolRules.itemTexts.union(MeasurementProtocolRules.itemNumbers)
        let custom = members.keys.filter { !known.contains($0) }.count
        if custom > 10 { add(.exceededMaxEntities, path, "There are \(custom) custom parameters; the maximum is 10.") }
    }
}
