import CoreTracker
package import EventDelivery
import EventTracking

/// The times of a request's events, which Google accepts only within the last 72 hours.
///
/// An event may wait for days, so the rule applies to each attempt and not to the stored event. If a time is too old,
/// it becomes the oldest accepted one, as Google's server would adjust it. A time in the future is left out, and Google
/// uses the time of arrival. Both are counted when the batch is delivered.
///
/// Source: https://developers.google.com/analytics/devguides/collection/protocol/ga4/sending-events ("Override
/// timestamp").
package struct RequestTimes {
    /// An adjustment of an event's time.
    ///
    /// The ledger counts it under the raw value.
    package enum Adjustment: String {
        /// The time is too old. The event is sent with the oldest accepted time.
        case clamped = "timestamp_clamped"
        /// The time is in the future. The event is sent without a time.
        case inFuture = "timestamp_in_future"
    }

    /// The maximum age of an event in a request: 72 hours, less five minutes for the request.
    package static let maximumAge: Int64 = 72 * 60 * 60 - 5 * 60

    private static let member = Array(#""timestamp_micros":"#.utf8)

    private let oldest: Timestamp
    private let newest: Timestamp
    private let depth: Int

    /// Creates the rule for a request, or `nil` for a placeholder batch.
    ///
    /// - Parameters:
    ///   - batch: The batch of the request.
    ///   - isTraits: Whether its events are updates of traits, whose times lie one level deeper.
    package init?(of batch: OutgoingBatch, isTraits: Bool) {
        guard let time = batch.time else { return nil }
        oldest = time.advanced(bySeconds: -RequestTimes.maximumAge)
        newest = time
        depth = isTraits ? 2 : 1
    }

    /// Returns the adjustments of a request, by rule.
    ///
    /// - Parameters:
    ///   - batch: The batch of the request.
    ///   - isTraits: Whether its events are updates of traits.
    package static func adjustments(in batch: OutgoingBatch, isTraits: Bool) -> [String: Int] {
        guard let times = RequestTimes(of: batch, isTraits: isTraits) else { return [:] }
        return batch.events.reduce(into: [:]) { counts, event in
            guard let place = times.places(in: event.fragment).first else { return }
            if let rule = times.adjustment(of: place.time) { counts[rule.rawValue, default: 0] += 1 }
        }
    }

    /// Returns an encoded event with the times accepted by Google.
    ///
    /// - Parameter fragment: The bytes encoded by the destination.
    package func adjusted(_ fragment: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let places = places(in: fragment).filter { adjustment(of: $0.time) != nil }
        guard !places.isEmpty else { return fragment }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(fragment.count)
        var start = fragment.startIndex
        for place in places {
            switch adjustment(of: place.time) {
            case .clamped:
                bytes += fragment[start..<place.digits.lowerBound]
                bytes += "\(oldest.microseconds)".utf8
            case .inFuture:
                // The member is never the first in its object, so the comma before it goes too.
                bytes += fragment[start..<(place.digits.lowerBound - RequestTimes.member.count - 1)]
            case nil: continue
            }
            start = place.digits.upperBound
        }
        return (bytes + fragment[start...])[...]
    }

    private func adjustment(of time: Timestamp) -> Adjustment? {
        if time < oldest { return .clamped }
        return time > newest ? .inFuture : nil
    }

    /// Returns the times of the event or the traits, but not those inside of parameters.
    private func places(in fragment: ArraySlice<UInt8>) -> [(time: Timestamp, digits: Range<Int>)] {
        var places: [(time: Timestamp, digits: Range<Int>)] = []
        var level = 0
        var index = fragment.startIndex
        while index < fragment.endIndex {
            switch fragment[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): level += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): level -= 1
            case UInt8(ascii: "\""):
                if level == depth, fragment[index...].starts(with: RequestTimes.member) {
                    let start = index + RequestTimes.member.count
                    let end = fragment[start...].firstIndex { !RequestTimes.isPartOfNumber($0) } ?? fragment.endIndex
                    if let time = Int64(String(decoding: fragment[start..<end], as: UTF8.self)) {
                        places.append((Timestamp(microseconds: time), start..<end))
                        // An event has a single time, which precedes its parameters.
                        if depth == 1 { return places }
                    }
                    index = end
                    continue
                }
                index = RequestTimes.end(ofStringAt: index, in: fragment)
            default: break
            }
            index += 1
        }
        return places
    }

    /// Returns the index of a string's closing quotation mark, or the last index.
    private static func end(ofStringAt start: Int, in fragment: ArraySlice<UInt8>) -> Int {
        var index = start + 1
        while index < fragment.endIndex, fragment[index] != UInt8(ascii: "\"") {
            index += fragment[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    private static func isPartOfNumber(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "-")
    }
}

extension ResponsePolicy {
    /// The meaning of responses to the Measurement Protocol: every 2xx acknowledges, 413 splits the batch, and no other
    /// status refers to a single event.
    ///
    /// The address and the headers are the same for every batch. 414 and 431 therefore pause the lane instead of
    /// splitting the batch. 400 and 422 are sent by a gateway, which may reject one event or all of them. If it rejects
    /// all, the lane pauses.
    package static let measurementProtocol: ResponsePolicy = {
        var policy = ResponsePolicy.standard
        policy.acknowledged = Set(200...299)
        policy.statuses[400] = .suspect
        policy.statuses[422] = .suspect
        policy.statuses[414] = .paused(.endpoint)
        policy.statuses[431] = .paused(.protocolMismatch)
        return policy
    }()
}
