/// A replica of GA4's validation server for app streams, according to its documentation.
///
/// It is independent of the code that sends events. It validates bodies as the server does with
/// `ENFORCE_RECOMMENDATIONS`. Like the server, it ignores credentials. It also ignores the age of time stamps. If a
/// rule exists only in Google's form checker, this replica may be stricter than the server. An example is the rule that
/// a value needs a currency.
///
/// Sources: the protocol's reference, its sending guide, and Google's form checker.
public enum MeasurementProtocolValidation {
    private static let maximumBodyBytes = 130_000
    private static let maximumEvents = 25

    /// Validates a body.
    ///
    /// - Parameter body: The body of a request, without its gzip encoding.
    /// - Returns: The messages, which are empty if the body is valid.
    public static func messages(on body: [UInt8]) -> [ValidationMessage] {
        guard case .object(let members)? = CollectedValue(body) else {
            return [ValidationMessage(.valueInvalid, "", "The body is no JSON object.")]
        }
        var checker = FieldChecker()
        if body.count >= maximumBodyBytes {
            checker.add(.valueOutOfBounds, "", "The body has \(body.count) bytes; it must be smaller than 130 kB.")
        }
        checkIdentity(members, with: &checker)
        checkConsent(members["consent"], with: &checker)
        if let properties = members["user_properties"] { checker.checkUserProperties(properties) }
        switch members["events"] {
        case .array(let events)?:
            if events.isEmpty { checker.add(.valueRequired, "events", "There is no event.") }
            if events.count > maximumEvents {
                checker.add(.exceededMaxEntities, "events", "There are \(events.count) events; 25 are the most.")
            }
            for (index, event) in events.enumerated() { checker.checkEvent(event, at: "events[\(index)]") }
        case nil: checker.add(.valueRequired, "events", "There are no events.")
        default: checker.add(.valueInvalid, "events", "It must be a list.")
        }
        return checker.messages
    }

    private static func checkIdentity(_ members: [String: CollectedValue], with checker: inout FieldChecker) {
        switch members["app_instance_id"] {
        case .string(let id)?:
            if id.utf8.count != 32 || !id.utf8.allSatisfy(isHexDigit) {
                checker.add(.valueInvalid, "app_instance_id", "It must be 32 hexadecimal digits.")
            }
        case nil: checker.add(.valueRequired, "app_instance_id", "An app stream needs it.")
        default: checker.add(.valueInvalid, "app_instance_id", "It must be text.")
        }
        if let user = members["user_id"] { checker.checkText(user, at: "user_id", atMost: 256) }
        if let time = members["timestamp_micros"] { checker.checkTime(time, at: "timestamp_micros") }
        if members["client_id"] != nil {
            checker.add(.valueInvalid, "client_id", "It belongs to web streams.")
        }
    }

    private static func checkConsent(_ consent: CollectedValue?, with checker: inout FieldChecker) {
        guard let consent else { return }
        guard case .object(let members) = consent else {
            return checker.add(.valueInvalid, "consent", "It must be an object.")
        }
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
            if !["ad_user_data", "ad_personalization"].contains(name) {
                checker.add(.nameInvalid, "consent", "\(name) is no kind of consent.")
            } else if ![.string("GRANTED"), .string("DENIED")].contains(value) {
                checker.add(.valueInvalid, "consent.\(name)", "It must be GRANTED or DENIED.")
            }
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }
}

extension CollectorScript {
    /// A script that responds like GA4's validation server, with messages about the body of each request.
    public static let measurementProtocolValidation = CollectorScript { request in
        guard request.path.hasSuffix("/debug/mp/collect"), request.method == "POST" else { return .status(404) }
        let messages = MeasurementProtocolValidation.messages(on: request.body).map(\.json).joined(separator: ",")
        return .respond(
            CollectorResponse(
                200,
                headers: [CollectorResponse.Header("Content-Type", "application/json")],
                text: "{\"validationMessages\":[\(messages)]}"
            )
        )
    }
}
