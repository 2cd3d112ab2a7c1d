import CoreTracker

/// The registered trackers that have one capability, resolved; immutable, so that it is walked without a lock.
final class CapabilityTable<Capability: Sendable>: ResolvedCapability {
    /// One tracker with the capability.
    struct Entry: Sendable {
        /// The tracker, as the capability.
        let tracker: Capability
        /// The tracker's registration.
        let registration: Registration
    }

    /// All trackers that have the capability, in the order of their registration.
    let conforming: [Entry]
    /// Those of them that are enabled.
    let enabled: [Entry]
    /// How many of them are not.
    var disabledCount: Int { conforming.count - enabled.count }

    private init(conforming: [Entry], selection: EnabledTrackers) {
        self.conforming = conforming
        enabled = conforming.filter { selection.contains($0.registration.type) }
    }

    /// Creates a table by casting each tracker once.
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
