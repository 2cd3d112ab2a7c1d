public import CoreTracker
import EventTracking

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Decimal: ParameterRepresentable {
    /// The nearest floating-point number, which has the same digits if there are at most 15.
    ///
    /// `Decimal("35.79")` is 35.79. A value that is not a number is left out, and the event counts as adjusted.
    public var parameterValue: ParameterValue { .double(Double(description) ?? .nan) }
}

extension Date: ParameterRepresentable {
    /// The time in UTC with milliseconds, rounded towards the past, such as `2026-03-01T10:00:00.123Z` (RFC 3339).
    ///
    /// The format has the years 0 to 9999. Another date becomes the nearest one with the format. A date that is not a
    /// number is left out, and the event counts as adjusted.
    public var parameterValue: ParameterValue {
        guard !timeIntervalSince1970.isNaN else { return .double(.nan) }
        let microseconds = (timeIntervalSince1970 * 1_000_000).rounded()
        let bound = Double(Int64.max >> 1)
        return .string(Timestamp(microseconds: Int64(min(max(microseconds, -bound), bound))).rfc3339)
    }
}

extension URL: ParameterRepresentable {
    /// The absolute URL, with its query and fragment.
    ///
    /// A query can contain personal values: remove it first, or wrap the URL in a `Sensitive`.
    public var parameterValue: ParameterValue { .string(absoluteString) }
}

extension UUID: ParameterRepresentable {
    /// The UUID in lower case, as RFC 9562 asks of a writer.
    public var parameterValue: ParameterValue { .string(uuidString.lowercased()) }
}
