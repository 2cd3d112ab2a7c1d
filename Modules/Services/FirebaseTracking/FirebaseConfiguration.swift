public import CoreTracker
public import EventDelivery
import MeasurementProtocol
public import VendorRules

/// A configuration for sending events to a Firebase app stream of Google Analytics.
///
/// Google treats the API secret as private to the organization. An app in the store should therefore send through the
/// organization's relay, or use the Firebase SDK.
public struct FirebaseConfiguration: Sendable {
    /// The address that receives events.
    ///
    /// If the endpoint has no path, the path is `/mp/collect`.
    public let endpoint: Endpoint
    /// The app's id in Firebase, such as `1:1234567890:ios:0a1b2c3d4e5f6789`.
    public let firebaseAppID: String
    /// The stream's API secret, from the Google Analytics console.
    public let apiSecret: Secret
    /// The app instance id of all events, or `nil` for the device id of each event.
    public let appInstanceID: String?
    /// The limits of the property.
    public let rules: EventRules
    /// The member `device` of each request, or an empty text.
    let device: String

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - endpoint: The address that receives events, or `nil` for Google's own.
    ///   - firebaseAppID: The app's id in Firebase, such as `1:1234567890:ios:0a1b2c3d4e5f6789`.
    ///   - apiSecret: The stream's API secret, from the Google Analytics console.
    ///   - appInstanceID: The value of the Firebase SDK's `appInstanceID()`, or `nil` for the device id of each event.
    ///     Google counts an app instance only if its SDK has sent an event.
    ///   - rules: The limits of the property.
    ///   - device: The members of Google's `device`, each a string, such as `AppContext.current.googleDevice`.
    /// - Throws: A `ConfigurationError` for the first invalid value.
    public init(
        endpoint: Endpoint? = nil,
        firebaseAppID: String,
        apiSecret: Secret,
        appInstanceID: String? = nil,
        rules: EventRules = .appStream,
        device: EventParameters = []
    ) throws(ConfigurationError) {
        guard FirebaseConfiguration.isAppID(firebaseAppID) else {
            throw .invalidValue(field: "firebaseAppID", expected: "of the form 1:1234567890:ios:0a1b2c3d4e5f6789")
        }
        guard !apiSecret.value.isEmpty, apiSecret.value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            throw .invalidValue(field: "apiSecret", expected: "visible ASCII characters, at least one")
        }
        guard appInstanceID.map(FirebaseConfiguration.isAppInstanceID) ?? true else {
            throw .invalidValue(field: "appInstanceID", expected: "32 hexadecimal digits")
        }
        let address = if let endpoint { endpoint } else { try Endpoint("https://www.google-analytics.com") }
        self.endpoint = try address.replacingEmptyPath(with: "/mp/collect")
        self.firebaseAppID = firebaseAppID
        self.apiSecret = apiSecret
        self.appInstanceID = appInstanceID
        self.rules = rules
        self.device = try GoogleDevice.member(device)
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

extension FirebaseConfiguration: CustomStringConvertible, CustomDebugStringConvertible {
    public var description: String { "FirebaseConfiguration(\(firebaseAppID) at \(endpoint))" }
    public var debugDescription: String { description }
}

extension FirebaseConfiguration: CustomReflectable {
    /// A mirror without children, because the configuration contains the secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension UInt8 {
    fileprivate var isASCIIDigit: Bool { self &- 0x30 < 10 }
    fileprivate var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
}
