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
            return [ValidationMessage(.valueInvalid, "", "The body must be a JSON object.")]
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
            if events.isEmpty { checker.add(.valueRequired, "events", "There must be at least one event.") }
            if events.count > maximumEvents {
                checker.add(.exceededMaxEntities, "events", "There are \(events.count) events; the maximum is 25.")
            }
            for (index, event) in events.enumerated() { checker.checkEvent(event, at: "events[\(index)]") }
        case nil: checker.add(.valueRequired, "events", "There must be a list of events.")
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
        case nil: checker.add(.valueRequired, "app_instance_id", "An app stream requires it.")
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
                checker.add(.nameInvalid, "consent", "There is no consent named \(name).")
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

/// The names and limits from the documentation of the Measurement Protocol.
enum MeasurementProtocolRules {
    /// The event names that only SDKs may use.
    static let reservedEvents: Set<String> = [
        "ad_activeview", "ad_click", "ad_exposure", "ad_query", "ad_reward", "adunit_exposure", "app_clear_data",
        "app_exception", "app_install", "app_remove", "app_store_refund", "app_update", "app_upgrade",
        "dynamic_link_app_open", "dynamic_link_app_update", "dynamic_link_first_open", "error", "firebase_campaign",
        "firebase_in_app_message_action", "firebase_in_app_message_dismiss", "firebase_in_app_message_impression",
        "first_open", "first_visit", "notification_dismiss", "notification_foreground", "notification_open",
        "notification_receive", "notification_send", "os_update", "session_start", "user_engagement",
    ]

    /// The reserved names of user properties.
    static let reservedProperties: Set<String> = [
        "first_open_after_install", "first_open_time", "first_visit_time", "last_deep_link_referrer", "user_id",
    ]

    /// The maximum lengths of parameters whose limit is not 100.
    static let maximumStringLengths = ["page_title": 300, "page_referrer": 420, "page_location": 1000]

    /// The required parameters of events.
    ///
    /// Value and currency are not listed, because an event without them is only missing in revenue reports.
    static let required: [String: [String]] = [
        "add_payment_info": ["items"], "add_shipping_info": ["items"], "add_to_cart": ["items"],
        "add_to_wishlist": ["items"], "begin_checkout": ["items"], "post_score": ["score"],
        "purchase": ["transaction_id", "items"], "refund": ["transaction_id"], "remove_from_cart": ["items"],
        "search": ["search_term"], "select_item": ["items"],
        "spend_virtual_currency": ["value", "virtual_currency_name"], "unlock_achievement": ["achievement_id"],
        "view_cart": ["items"], "view_item": ["items"], "view_item_list": ["items"], "view_promotion": ["items"],
    ]

    /// Returns whether the event's value is money.
    ///
    /// The value of a virtual currency is not.
    static func needsCurrency(_ event: String) -> Bool {
        !["earn_virtual_currency", "spend_virtual_currency"].contains(event)
    }

    /// The parameters of an item that are text.
    static let itemTexts: Set<String> = [
        "affiliation", "coupon", "creative_name", "creative_slot", "currency", "item_brand", "item_category",
        "item_category2", "item_category3", "item_category4", "item_category5", "item_id", "item_list_id",
        "item_list_name", "item_name", "item_variant", "location_id", "promotion_id", "promotion_name",
    ]

    /// The parameters of an item that are numbers.
    static let itemNumbers: Set<String> = ["discount", "index", "price", "quantity"]
}

/// A message of GA4's validation server about one part of a body.
public struct ValidationMessage: Sendable, Hashable {
    /// A category of faults, with the server's name.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case valueInvalid = "VALUE_INVALID"
        case valueRequired = "VALUE_REQUIRED"
        case nameInvalid = "NAME_INVALID"
        case nameReserved = "NAME_RESERVED"
        case valueOutOfBounds = "VALUE_OUT_OF_BOUNDS"
        case exceededMaxEntities = "EXCEEDED_MAX_ENTITIES"
    }

    /// The location of the fault, such as `events[0].params`.
    ///
    /// Empty for the body itself.
    public let fieldPath: String
    /// The description of the fault, for people.
    public let description: String
    /// The category of the fault.
    public let code: Code

    /// Creates a message.
    init(_ code: Code, _ fieldPath: String, _ description: String) {
        self.code = code
        self.fieldPath = fieldPath
        self.description = description
    }

    /// The message as an element of the server's response.
    var json: String {
        let members = [("fieldPath", fieldPath), ("description", description), ("validationCode", code.rawValue)]
        return "{" + members.map { "\"\($0.0)\":\"\($0.1.jsonEscaped)\"" }.joined(separator: ",") + "}"
    }
}

extension String {
    fileprivate var jsonEscaped: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
