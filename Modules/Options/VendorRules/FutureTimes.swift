package import EventDelivery
import EventTracking

/// The times of a request's events that lie in the future, because the device's clock was set back after tracking.
///
/// An event contains its time as RFC 3339 text, as ``Timestamp/rfc3339`` writes it. All such texts have the same length,
/// so they compare as bytes.
package struct FutureTimes {
    /// The rule under which the ledger counts such a time.
    package static let rule = "timestamp_in_future"

    private let start: [UInt8]
    private let now: [UInt8]

    /// Creates the times of a request, or returns `nil` for a placeholder batch.
    ///
    /// - Parameters:
    ///   - batch: The batch of the request.
    ///   - member: The name of the member with the time. It is not the first of an event, and no earlier object has it.
    package init?(in batch: OutgoingBatch, member: String) {
        guard let time = batch.time else { return nil }
        start = Array(",\"\(member)\":\"".utf8)
        now = Array(time.rfc3339.utf8)
    }

    /// Returns the number of events in the future, by rule.
    ///
    /// - Parameters:
    ///   - batch: The batch of the request.
    ///   - member: The name of the member with the time.
    package static func adjustments(in batch: OutgoingBatch, member: String) -> [String: Int] {
        let times = FutureTimes(in: batch, member: member)
        let count = batch.events.count { times?.place(in: $0.fragment) != nil }
        return count > 0 ? [rule: count] : [:]
    }

    /// Returns an encoded event, in which a time in the future is replaced by the time of the attempt.
    ///
    /// - Parameter fragment: The bytes encoded by the destination.
    package func adjusted(_ fragment: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard let place = place(in: fragment) else { return fragment }
        return fragment[..<place.lowerBound] + now + fragment[place.upperBound...]
    }

    /// Returns the place of an event's time if it lies in the future.
    private func place(in fragment: ArraySlice<UInt8>) -> Range<Int>? {
        // The quotation marks inside of a text are escaped, so the first match is the member.
        guard let match = fragment.firstRange(of: start) else { return nil }
        let place = match.upperBound..<(match.upperBound + now.count)
        guard place.upperBound <= fragment.endIndex, now.lexicographicallyPrecedes(fragment[place]) else { return nil }
        return place
    }
}
