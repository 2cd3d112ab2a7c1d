/// A replica of GA4's validation server, according to its documentation.
///
/// It validates bodies as the server does with `ENFORCE_RECOMMENDATIONS`. Like the server, it ignores credentials. If a
/// rule exists only in Google's form checker, this replica may be stricter than the server. An example is the rule that
/// a value needs a currency.
///
/// Sources:
/// - https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference
/// - https://developers.google.com/analytics/devguides/collection/protocol/ga4/sending-events
/// - https://developers.google.com/analytics/devguides/collection/protocol/ga4/user-properties
/// - https://support.google.com/analytics/answer/13316687 (names), https://support.google.com/analytics/answer/9267744
///   (limits)
/// - the form checker in https://github.com/googleanalytics/ga-dev-tools
package enum MeasurementProtocolValidation {
    /// A kind of data stream.
    package enum Stream: Sendable, Hashable {
        /// An app stream, whose requests name an app instance.
        case app
        /// A web stream, whose requests name a client.
        case web
    }

    private static let maximumBodyBytes = 130_000
    private static let maximumEvents = 25

    /// Validates a body.
    ///
    /// - Parameters:
    ///   - body: The body of a request, without its gzip encoding.
    ///   - stream: The kind of data stream.
    ///   - time: The time of arrival, in microseconds since 1970. If it is `nil`, the age of events is not checked.
    /// - Returns: The messages, which are empty if the body is valid.
    package static func messages(
        on body: [UInt8],
        of stream: Stream = .app,
        at time: Int64? = nil
    ) -> [ValidationMessage] {
        guard case .object(let members)? = CollectedValue(body) else {
            return [ValidationMessage(.valueInvalid, "", "The body must be a JSON object.")]
        }
        var checker = FieldChecker(stream: stream, time: time)
        for name in members.keys.sorted() where !MeasurementProtocolRules.members.contains(name) {
            checker.add(.nameInvalid, name, "A request has no member \(name).")
        }
        if body.count >= maximumBodyBytes {
            checker.add(.valueOutOfBounds, "", "The body has \(body.count) bytes; it must be smaller than 130 kB.")
        }
        switch stream {
        case .app: checkAppInstance(members, with: &checker)
        case .web: checkClient(members, with: &checker)
        }
        if let user = members["user_id"] { checker.checkText(user, at: "user_id", atMost: 256) }
        if let time = members["timestamp_micros"] { checker.checkTime(time, at: "timestamp_micros") }
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

    private static func checkClient(_ members: [String: CollectedValue], with checker: inout FieldChecker) {
        switch members["client_id"] {
        case .string(let id)?:
            if id.isEmpty { checker.add(.valueRequired, "client_id", "A web stream requires it.") }
        case nil: checker.add(.valueRequired, "client_id", "A web stream requires it.")
        default: checker.add(.valueInvalid, "client_id", "It must be text.")
        }
        if members["app_instance_id"] != nil {
            checker.add(.valueInvalid, "app_instance_id", "It belongs to app streams.")
        }
    }

    private static func checkAppInstance(_ members: [String: CollectedValue], with checker: inout FieldChecker) {
        switch members["app_instance_id"] {
        case .string(let id)?:
            if id.utf8.count != 32 || !id.utf8.allSatisfy(isHexDigit) {
                checker.add(.valueInvalid, "app_instance_id", "It must be 32 hexadecimal digits.")
            }
        case nil: checker.add(.valueRequired, "app_instance_id", "An app stream requires it.")
        default: checker.add(.valueInvalid, "app_instance_id", "It must be text.")
        }
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
        return .respond(.validation(200, MeasurementProtocolValidation.messages(on: request.body)))
    }
}

extension CollectorResponse {
    /// Returns the response of GA4's validation server.
    fileprivate static func validation(_ status: Int, _ messages: [ValidationMessage]) -> CollectorResponse {
        .json(status, "{\"validationMessages\":[\(messages.map(\.json).joined(separator: ","))]}")
    }
}

extension ReceiverRules {
    /// The rules of GA4 for app streams.
    ///
    /// Google's server responds with 204 to every readable request, and drops or changes invalid parts. This one
    /// responds with 400 to a request with an invalid part, as the validation server would reject it. A fault is
    /// therefore visible in the sender's ledger.
    public static let appStream = measurementProtocol(.app) { head, checker in
        let id = head.query["firebase_app_id"] ?? ""
        if id.wholeMatch(of: /[0-9]:[0-9]+:[A-Za-z]+:[0-9A-Za-z]+/) == nil {
            checker.add(.valueRequired, "", "The address needs a firebase_app_id.")
        }
        if head.query["measurement_id"] != nil {
            checker.add(.valueInvalid, "", "An address has a firebase_app_id or a measurement_id, but not both.")
        }
    }

    /// The rules of GA4 for web streams, with the same responses as ``appStream``.
    public static let webStream = measurementProtocol(.web) { head, checker in
        if head.query["measurement_id"]?.wholeMatch(of: /G-[0-9A-Z]+/) == nil {
            checker.add(.valueRequired, "", "The address needs a measurement_id.")
        }
        if head.query["firebase_app_id"] != nil {
            checker.add(.valueInvalid, "", "An address has a firebase_app_id or a measurement_id, but not both.")
        }
    }

    private static func measurementProtocol(
        _ stream: MeasurementProtocolValidation.Stream,
        checkAddress: @escaping @Sendable (CollectedHead, inout FieldChecker) -> Void
    ) -> ReceiverRules {
        ReceiverRules(name: "GA4") { head, body, time in
            var checker = FieldChecker(stream: stream, time: time)
            if !head.path.hasSuffix("/mp/collect") { checker.add(.valueInvalid, "", "The path is not /mp/collect.") }
            if head.query["api_secret"]?.isEmpty ?? true {
                checker.add(.valueRequired, "", "The address needs an api_secret.")
            }
            checkAddress(head, &checker)
            checker.checkContentType(head, isOneOf: ["application/json"])
            if let encoding = head.headers["content-encoding"] {
                checker.add(.valueInvalid, "", "The protocol documents no encoding such as \(encoding).")
            }
            return checker.messages + MeasurementProtocolValidation.messages(on: body, of: stream, at: time)
        } response: { _, messages in
            messages.isEmpty ? CollectorResponse(204) : .validation(400, messages)
        }
    }
}

/// The names and limits from the documentation of the Measurement Protocol.
enum MeasurementProtocolRules {
    /// The members of a request.
    static let members: Set<String> = [
        "app_instance_id", "client_id", "consent", "device", "events", "ip_override", "non_personalized_ads",
        "timestamp_micros", "user_agent", "user_data", "user_id", "user_location", "user_properties",
        "validation_behavior",
    ]

    /// Returns the reserved event names of a stream.
    ///
    /// For apps, the documentation of the SDK adds names to the protocol's list. For the web, the support page adds two
    /// names, and some events exist only in apps.
    static func reservedEvents(of stream: MeasurementProtocolValidation.Stream) -> Set<String> {
        stream == .app ? appEvents : webEvents
    }

    private static let appEvents = reservedEvents.union([
        "app_background", "app_store_subscription_cancel", "app_store_subscription_convert",
        "app_store_subscription_renew", "session_start_with_rollout",
    ])

    private static let webEvents = reservedEvents.union([
        "ad_impression", "app_store_subscription_cancel", "app_store_subscription_renew", "in_app_purchase",
        "screen_view",
    ])

    /// Returns the reserved prefixes of event names in a stream.
    static func reservedPrefixes(of stream: MeasurementProtocolValidation.Stream) -> [String] {
        ["_", "firebase_", "ga_", "google_"] + (stream == .web ? ["query_id"] : [])
    }

    /// The event names that only SDKs may use.
    private static let reservedEvents: Set<String> = [
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

    /// The text parameters of an item.
    static let itemTexts: Set<String> = [
        "affiliation", "coupon", "creative_name", "creative_slot", "currency", "item_brand", "item_category",
        "item_category2", "item_category3", "item_category4", "item_category5", "item_id", "item_list_id",
        "item_list_name", "item_name", "item_variant", "location_id", "promotion_id", "promotion_name",
    ]

    /// The numeric parameters of an item.
    static let itemNumbers: Set<String> = ["discount", "index", "price", "quantity"]
}
