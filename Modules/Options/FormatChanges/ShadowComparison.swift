import CoreTracker
public import EventDelivery
import EventTracking
import Locks

extension Destination {
    /// Returns a destination that sends the same events as this one, and compares them with another destination's.
    ///
    /// Use it before a migration to a new format: the other destination encodes each event too, on the writer's thread,
    /// but nothing of it is stored or sent.
    ///
    /// ```swift
    /// let comparison = ShadowComparison()
    /// let destination = current.shadowed(by: next, in: comparison)
    /// ```
    ///
    /// - Parameters:
    ///   - shadow: The destination to compare. Its lane, purpose and transport do not matter.
    ///   - comparison: Counts the differences.
    /// - Returns: A destination that sends the same as this one.
    public func shadowed(by shadow: some Destination, in comparison: ShadowComparison) -> any Destination {
        ShadowedDestination(base: self, shadow: shadow, comparison: comparison)
    }
}

/// A comparison of a destination's events with the events of its shadow.
public final class ShadowComparison: Sendable {
    /// The counts of a comparison.
    public struct Report: Sendable, Hashable {
        /// The number of events encoded by both destinations.
        public fileprivate(set) var compared = 0
        /// The number of events equal in all members, in any order of their keys.
        public fileprivate(set) var equal = 0
        /// The number of events that differ in a member, by its path, such as `params.price` or `items[].id`.
        ///
        /// `(batch key)` stands for different batch keys, and `(body)` for bytes other than a JSON object. Beyond 64
        /// paths, `(other)` counts the further ones. There are no values.
        public fileprivate(set) var differences: [String: Int] = [:]
        /// The number of events refused only by the sending destination, by its rule.
        public fileprivate(set) var refusedBySending: [String: Int] = [:]
        /// The number of events refused only by the shadow, by its rule.
        public fileprivate(set) var refusedByShadow: [String: Int] = [:]
    }

    fileprivate struct State {
        var report = Report()
        var encoder = EventEncoder()
    }

    private static let maximumPaths = 64

    fileprivate let state = Mutex(State())

    /// Creates a comparison without events.
    public init() {}

    /// The counts so far.
    ///
    /// An event counts twice if it is encoded twice because the storage failed.
    public var report: Report { state.withLock { $0.report } }

    /// Counts a comparison.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - sent: The bytes of the sending destination, or the rule by which it refused the event.
    ///   - sending: The sending destination.
    ///   - shadow: The other destination.
    fileprivate func compare(
        _ event: OutgoingEvent,
        _ sent: Result<[UInt8], EventEncodingError>,
        of sending: any Destination,
        with shadow: any Destination
    ) {
        state.withLock { state in
            let shadowed = ShadowComparison.encode(event, for: shadow, &state.encoder)
            switch (sent, shadowed) {
            case (.failure, .failure): break
            case (.failure(let error), .success): state.report.refusedBySending[error.rule, default: 0] += 1
            case (.success, .failure(let error)): state.report.refusedByShadow[error.rule, default: 0] += 1
            case (.success(let sent), .success(let shadowed)):
                var paths = ShadowComparison.differences(sent, shadowed)
                let keys = (sending.batchKey(of: event), shadow.batchKey(of: event))
                if !keys.0.utf8.elementsEqual(keys.1.utf8) { paths.insert("(batch key)") }
                state.report.count(paths, maximum: ShadowComparison.maximumPaths)
            }
        }
    }

    private static func encode(
        _ event: OutgoingEvent,
        for destination: any Destination,
        _ encoder: inout EventEncoder
    ) -> Result<[UInt8], EventEncodingError> {
        encoder.reset()
        do throws(EventEncodingError) {
            try destination.encode(event, into: &encoder)
        } catch {
            return .failure(error)
        }
        return result(of: encoder, for: destination)
    }

    /// Returns the bytes of an encoded event, unless it is too large for its destination.
    fileprivate static func result(
        of encoder: EventEncoder,
        for destination: any Destination
    ) -> Result<[UInt8], EventEncodingError> {
        guard encoder.byteCount <= destination.limits.eventBytes else {
            return .failure(EventEncodingError(rule: DropReason.tooLarge.name))
        }
        return .success(encoder.bytes)
    }

    private static func differences(_ sent: [UInt8], _ shadowed: [UInt8]) -> Set<String> {
        guard sent != shadowed else { return [] }
        guard let left = JSONReader.object(in: sent[...]), let right = JSONReader.object(in: shadowed[...]) else {
            return ["(body)"]
        }
        var paths: Set<String> = []
        collect(.object(left), .object(right), at: "", into: &paths)
        // Equal members in another order have the same bytes, but not a null or another normalization of a text.
        return paths.isEmpty && sent.sorted() != shadowed.sorted() ? ["(body)"] : paths
    }

    private static func collect(
        _ left: ParameterValue?,
        _ right: ParameterValue?,
        at path: String,
        into paths: inout Set<String>
    ) {
        switch (left, right) {
        case (.object(let left), .object(let right)):
            let separator = path.isEmpty ? "" : "."
            for key in Set(left.map(\.key)).union(right.map(\.key)) {
                collect(left[key], right[key], at: path + separator + key.name, into: &paths)
            }
        case (.array(let left), .array(let right)) where left.count == right.count:
            for (left, right) in zip(left, right) { collect(left, right, at: path + "[]", into: &paths) }
        default: if left != right { paths.insert(path) }
        }
    }
}

extension ShadowComparison.Report {
    fileprivate mutating func count(_ paths: Set<String>, maximum: Int) {
        compared += 1
        if paths.isEmpty { equal += 1 }
        for path in paths.sorted() {
            let isKnown = differences[path] != nil || differences.count < maximum
            differences[isKnown ? path : "(other)", default: 0] += 1
        }
    }
}

/// A destination that also passes each event to the comparison with its shadow.
private struct ShadowedDestination: DestinationWrapper {
    let base: any Destination
    let shadow: any Destination
    let comparison: ShadowComparison

    func encode(_ event: OutgoingEvent, into encoder: inout EventEncoder) throws(EventEncodingError) {
        do throws(EventEncodingError) {
            try base.encode(event, into: &encoder)
        } catch {
            comparison.compare(event, .failure(error), of: base, with: shadow)
            throw error
        }
        comparison.compare(event, ShadowComparison.result(of: encoder, for: base), of: base, with: shadow)
    }
}
