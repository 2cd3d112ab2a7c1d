public import CoreTracker
public import EventDelivery
import MeasurementProtocol
public import VendorRules

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The address, the credentials and the limits of a web stream, validated when the configuration is created.
public struct GoogleAnalyticsConfiguration: Sendable {
    /// A server of Google that receives events.
    public enum Region: String, Sendable, Hashable, CaseIterable {
        /// The server for data that may be processed anywhere.
        case worldwide = "https://www.google-analytics.com/mp/collect"
        /// The server for data that is collected in the EU.
        case europeanUnion = "https://region1.google-analytics.com/mp/collect"
    }

    /// The receiver's address without the query.
    ///
    /// If the endpoint has no path, the path is `/mp/collect`.
    let endpoint: Endpoint
    /// The stream's id.
    let measurementID: String
    /// The stream's secret.
    let apiSecret: Secret
    /// The limits of the property.
    let rules: EventRules
    /// The member `device` of each request, with a comma, or an empty text.
    let device: String

    /// Creates a configuration for a server of Google.
    ///
    /// - Parameters:
    ///   - measurementID: The stream's id, such as `G-ABC1234567`.
    ///   - apiSecret: A Measurement Protocol secret of the stream, from the GA4 console.
    ///   - region: The region in which Google may process the data.
    ///   - rules: The limits of the property.
    ///   - device: The members of Google's `device`, each a string.
    /// - Throws: A `ConfigurationError` if the id or the secret contains an invalid character.
    public init(
        measurementID: String,
        apiSecret: Secret,
        region: Region = .worldwide,
        rules: EventRules = .webStream,
        device: EventParameters = []
    ) throws(ConfigurationError) {
        try self.init(
            measurementID: measurementID,
            apiSecret: apiSecret,
            endpoint: Endpoint(region.rawValue),
            rules: rules,
            device: device
        )
    }

    /// Creates a configuration for a relay or a test's collector.
    ///
    /// - Parameters:
    ///   - measurementID: The stream's id, such as `G-ABC1234567`.
    ///   - apiSecret: A Measurement Protocol secret of the stream.
    ///   - endpoint: The address of the relay or collector. If it has no path, the path is `/mp/collect`.
    ///   - rules: The limits of the property.
    ///   - device: The members of Google's `device`, each a string.
    /// - Throws: A `ConfigurationError` if the id or the secret contains an invalid character.
    public init(
        measurementID: String,
        apiSecret: Secret,
        endpoint: Endpoint,
        rules: EventRules = .webStream,
        device: EventParameters = []
    ) throws(ConfigurationError) {
        guard measurementID.hasPrefix("G-"), measurementID.utf8.count > 2,
            measurementID.utf8.dropFirst(2).allSatisfy(GoogleAnalyticsConfiguration.isCapitalOrDigit)
        else {
            throw .invalidValue(field: "measurementID", expected: "\"G-\" followed by capital letters and digits")
        }
        guard !apiSecret.value.isEmpty, apiSecret.value.utf8.allSatisfy(GoogleAnalyticsConfiguration.isUnreserved)
        else {
            throw .invalidValue(field: "apiSecret", expected: "letters, digits, \"-\", \"_\", \".\" and \"~\" only")
        }
        self.endpoint = try endpoint.replacingEmptyPath(with: "/mp/collect")
        self.measurementID = measurementID
        self.apiSecret = apiSecret
        self.rules = rules
        self.device = try GoogleDevice.member(device)
    }

    /// The address with the query, which contains the secret.
    var address: URL {
        endpoint.url(adding: [
            URLQueryItem(name: "measurement_id", value: measurementID),
            URLQueryItem(name: "api_secret", value: apiSecret.value),
        ])
    }

    private static func isCapitalOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        isCapitalOrDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || "-_.~".utf8.contains(byte)
    }
}

extension GoogleAnalyticsConfiguration: CustomStringConvertible, CustomReflectable {
    public var description: String { endpoint.description }
    public var customMirror: Mirror { Mirror(self, children: ["endpoint": endpoint.description]) }
}
