public import EventDelivery

/// What an app has to know to send to a Firebase app stream of Google Analytics.
///
/// Google calls the API secret private to the organisation: an app that ships to users reaches this wire through a
/// relay of its own, or logs through the Firebase SDK.
public struct MeasurementProtocolConfiguration: Sendable {
    /// Where events are collected; an endpoint without a path stands for `/mp/collect`.
    public let endpoint: Endpoint
    /// The app's id in Firebase, such as `1:1234567890:ios:0a1b2c3d4e5f6789`.
    public let firebaseAppID: String
    /// The stream's secret, made in the console of Google Analytics.
    public let apiSecret: Secret
    /// The app instance id that all events carry; `nil` for the device id of each event's identity.
    public let appInstanceID: String?
    /// The limits of the property.
    public let rules: EventRules

    /// Creates a configuration, or says what is wrong with it; without an endpoint it is Google's own.
    ///
    /// `appInstanceID` is what the Firebase SDK's `appInstanceID()` answers: Google counts an app instance only once
    /// its SDK has sent an event.
    public init(
        endpoint: Endpoint? = nil,
        firebaseAppID: String,
        apiSecret: Secret,
        appInstanceID: String? = nil,
        rules: EventRules = .appStream
    ) throws(ConfigurationError) {
        guard MeasurementProtocolConfiguration.isAppID(firebaseAppID) else {
            throw .invalidValue(field: "firebaseAppID", expected: "of the form 1:1234567890:ios:0a1b2c3d4e5f6789")
        }
        guard !apiSecret.value.isEmpty, apiSecret.value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidValue(field: "apiSecret", expected: "visible ASCII characters, at least one")
        }
        guard appInstanceID.map(MeasurementProtocolConfiguration.isAppInstanceID) ?? true else {
            throw .invalidValue(field: "appInstanceID", expected: "32 hexadecimal digits")
        }
        let address = if let endpoint { endpoint } else { try Endpoint("https://www.google-analytics.com") }
        self.endpoint = try address.replacingEmptyPath(with: "/mp/collect")
        self.firebaseAppID = firebaseAppID
        self.apiSecret = apiSecret
        self.appInstanceID = appInstanceID
        self.rules = rules
    }

    /// Whether a text is an app instance id: 32 hexadecimal digits.
    static func isAppInstanceID(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { utf8 in
            guard utf8.count == 32 else { return false }
            for index in 0..<32 {
                let byte = unsafe utf8[index]
                if !byte.isASCIIDigit, (byte | 0x20) &- 0x61 >= 6 { return false }
            }
            return true
        }
    }

    private static func isAppID(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 4 && parts.allSatisfy { !$0.isEmpty }
            && parts[0].count == 1 && parts[0].allSatisfy(\.isASCIIDigit)
            && parts[1].allSatisfy(\.isASCIIDigit)
            && parts[2].allSatisfy(\.isASCIILetter)
            && parts[3].allSatisfy { $0.isASCIIDigit || $0.isASCIILetter }
    }
}

extension MeasurementProtocolConfiguration: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "MeasurementProtocolConfiguration(\(firebaseAppID) at \(endpoint))" }
    public var debugDescription: String { description }
}

extension MeasurementProtocolConfiguration: CustomReflectable {
    /// Has no children: what the parts hold is for the wire alone.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension UInt8 {
    fileprivate var isASCIIDigit: Bool { self &- 0x30 < 10 }
    fileprivate var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
}
