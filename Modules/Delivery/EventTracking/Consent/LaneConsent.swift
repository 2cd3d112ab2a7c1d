import Locks

/// The decision in effect about the purpose of a lane.
///
/// It is written under the lock of ``BufferLanes``, and read by callers without a lock.
package final class LaneConsent: Sendable {
    // The decision number of the last denial, and the consent in the two lowest bits.
    private let raw = Atomic<UInt64>(LaneConsent.bits(of: .granted))

    /// - Parameter isRefused: Whether all events are dropped, because there are too many lanes.
    package init(isRefused: Bool = false) {
        if isRefused { raw.store(3, ordering: .relaxed) }
    }

    /// Whether all events are dropped, because there are too many lanes.
    package var isRefused: Bool { raw.load(ordering: .acquiring) & 3 == 3 }

    /// Whether consent to the lane's purpose is denied now.
    ///
    /// It is `false` before the purpose is known.
    package var isDenied: Bool { raw.load(ordering: .acquiring) & 3 == LaneConsent.bits(of: .denied) }

    /// The reason for dropping a new event, or `nil`.
    package var dropReason: DropReason? {
        switch raw.load(ordering: .acquiring) & 3 {
        case LaneConsent.bits(of: .denied): .consentDenied
        case 3: .tooManyLanes
        default: nil
        }
    }

    /// The decision in effect, or `granted` before the purpose is known.
    package var value: Consent {
        let bits = raw.load(ordering: .acquiring) & 3
        return Consent.allCases.first { LaneConsent.bits(of: $0) == bits } ?? .unknown
    }

    /// The decision number of the last denial of the purpose in this process, or 0.
    package var denial: UInt64 { raw.load(ordering: .acquiring) >> 2 }

    /// Sets the decision in effect.
    ///
    /// - Parameters:
    ///   - consent: The decision.
    ///   - denial: The decision number of the last denial of the purpose, or 0.
    package func set(_ consent: Consent, denial: UInt64) {
        raw.store(denial << 2 | LaneConsent.bits(of: consent), ordering: .releasing)
    }

    private static func bits(of consent: Consent) -> UInt64 {
        switch consent {
        case .granted: 0
        case .unknown: 1
        case .denied: 2
        }
    }
}
