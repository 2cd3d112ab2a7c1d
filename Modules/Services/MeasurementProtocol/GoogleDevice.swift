package import CoreTracker
package import EventDelivery

/// The object `device` of a request, for app streams and web streams.
///
/// Without it, Google uses what its SDK has reported for the same instance, if anything.
///
/// Source: https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference
package enum GoogleDevice {
    private static let members: [ParameterKey] = [
        "category", "language", "screen_resolution", "operating_system", "operating_system_version", "model", "brand",
        "browser", "browser_version",
    ]

    /// Returns the member of a request, with a comma at its end, or an empty text if there are no members.
    ///
    /// - Parameter members: The members of the object, each a string.
    /// - Throws: `ConfigurationError.invalidValue` if Google does not know a member, or if a value is not a string or
    ///   has more than 100 bytes, as JSON writes it.
    package static func member(_ members: EventParameters) throws(ConfigurationError) -> String {
        guard !members.isEmpty else { return "" }
        for member in members {
            guard self.members.contains(member.key), case .string(let value) = member.value, fits(value) else {
                throw .invalidValue(field: "device", expected: "strings of at most 100 bytes for \(known)")
            }
        }
        var json = JSONWriter()
        json.key(fixed: "device")
        json.object(members)
        return String(decoding: json.bytes, as: UTF8.self) + ","
    }

    private static func fits(_ value: String) -> Bool {
        var json = JSONWriter()
        json.string(value)
        return json.bytes.count <= 102
    }

    private static var known: String { members.map(\.name).sorted(by: \.self).joined(separator: ", ") }
}
