import CoreTracker

/// A table of the registered trackers that have one capability.
///
/// It is immutable and is read without a lock.
final class CapabilityTable<Capability: Sendable>: ResolvedCapability {
    /// A tracker with the capability.
    struct Entry: Sendable {
        /// The tracker, cast to the capability.
        let tracker: Capability
        /// The tracker's registration.
        let registration: Registration
    }

    /// All trackers with the capability, in the order of registration.
    let conforming: [Entry]
    /// The enabled trackers with the capability.
    let enabled: [Entry]
    /// The number of disabled trackers with the capability.
    var disabledCount: Int { conforming.count - enabled.count }

    private init(conforming: [Entry], selection: EnabledTrackers) {
        self.conforming = conforming
        enabled = conforming.filter { selection.contains($0.registration.type) }
    }

    /// Creates a table.
    ///
    /// Each tracker is cast once.
    convenience init(_ registrations: [Registration], selection: EnabledTrackers) {
        self.init(conforming: registrations.compactMap(CapabilityTable.resolve), selection: selection)
    }

    func adding(_ registration: Registration, selection: EnabledTrackers) -> any ResolvedCapability {
        guard let entry = CapabilityTable.resolve(registration) else { return self }
        return CapabilityTable(conforming: conforming + [entry], selection: selection)
    }

    func removing(_ type: TrackerType, selection: EnabledTrackers) -> any ResolvedCapability {
        CapabilityTable(conforming: conforming.filter { $0.registration.type != type }, selection: selection)
    }

    func selecting(_ selection: EnabledTrackers) -> any ResolvedCapability {
        CapabilityTable(conforming: conforming, selection: selection)
    }

    private static func resolve(_ registration: Registration) -> Entry? {
        (registration.tracker as? Capability).map { Entry(tracker: $0, registration: registration) }
    }
}

/// A table of any capability.
///
/// It is immutable; each change creates a new table.
protocol ResolvedCapability: AnyObject, Sendable {
    /// Returns the table with one more tracker.
    ///
    /// Only that tracker is cast.
    func adding(_ registration: Registration, selection: EnabledTrackers) -> any ResolvedCapability
    /// Returns the table without a tracker.
    func removing(_ type: TrackerType, selection: EnabledTrackers) -> any ResolvedCapability
    /// Returns the table with another selection.
    func selecting(_ selection: EnabledTrackers) -> any ResolvedCapability
}
