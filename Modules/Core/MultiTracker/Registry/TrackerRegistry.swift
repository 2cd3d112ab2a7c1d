import CoreTracker

/// A snapshot of a store: its trackers, their resolved capabilities and the current selection.
///
/// It is immutable and is read without a lock. Each change creates a new registry.
final class TrackerRegistry: Sendable {
    /// The trackers in the order of registration.
    let registrations: [Registration]
    /// The current selection.
    let selection: EnabledTrackers
    /// The configuration's revision of the selection, or `nil` if the configuration has none.
    let revision: UInt64?

    private let byType: [TrackerType: Registration]
    private let tables: [ObjectIdentifier: any ResolvedCapability]

    private init(
        registrations: [Registration],
        byType: [TrackerType: Registration],
        tables: [ObjectIdentifier: any ResolvedCapability],
        selection: EnabledTrackers,
        revision: UInt64?
    ) {
        self.registrations = registrations
        self.byType = byType
        self.tables = tables
        self.selection = selection
        self.revision = revision
    }

    /// Creates an empty registry.
    convenience init(selection: EnabledTrackers, revision: UInt64?) {
        self.init(registrations: [], byType: [:], tables: [:], selection: selection, revision: revision)
    }

    /// The tracker of a type, in constant time.
    subscript(type: TrackerType) -> Registration? { byType[type] }

    /// The table of a capability, or `nil` if the capability has not been resolved yet.
    func table<Capability: Sendable>(of capability: Capability.Type) -> CapabilityTable<Capability>? {
        tables[ObjectIdentifier(capability)] as? CapabilityTable<Capability>
    }

    /// Returns the registry with one more tracker.
    ///
    /// Only that tracker is cast.
    func adding(_ registration: Registration) -> TrackerRegistry {
        TrackerRegistry(
            registrations: registrations + [registration],
            byType: byType.merging([registration.type: registration]) { first, _ in first },
            tables: tables.mapValues { $0.adding(registration, selection: selection) },
            selection: selection,
            revision: revision
        )
    }

    /// Returns the registry without a tracker.
    func removing(_ type: TrackerType) -> TrackerRegistry {
        TrackerRegistry(
            registrations: registrations.filter { $0.type != type },
            byType: byType.filter { $0.key != type },
            tables: tables.mapValues { $0.removing(type, selection: selection) },
            selection: selection,
            revision: revision
        )
    }

    /// Returns the registry with another selection.
    func selecting(_ selection: EnabledTrackers, revision: UInt64?) -> TrackerRegistry {
        TrackerRegistry(
            registrations: registrations,
            byType: byType,
            tables: tables.mapValues { $0.selecting(selection) },
            selection: selection,
            revision: revision
        )
    }

    /// Returns the registry with the table of one more capability.
    ///
    /// Each tracker is cast once.
    func resolving<Capability: Sendable>(
        _ capability: Capability.Type
    ) -> (TrackerRegistry, CapabilityTable<Capability>) {
        if let table = table(of: capability) { return (self, table) }
        let table = CapabilityTable<Capability>(registrations, selection: selection)
        let registry = TrackerRegistry(
            registrations: registrations,
            byType: byType,
            tables: tables.merging([ObjectIdentifier(capability): table]) { _, new in new },
            selection: selection,
            revision: revision
        )
        return (registry, table)
    }
}

/// A registered tracker with the capabilities that every call needs, cast once at registration.
final class Registration: Sendable {
    /// The tracker's type at the time of registration.
    let type: TrackerType
    /// The tracker, for capabilities that are resolved later.
    let tracker: any Trackable
    /// The tracker as a receiver of named events, if it has the capability.
    let vendorEvents: (any VendorEventTrackable)?
    /// The tracker as a source of its user's consent, if it has the capability.
    let consentGate: (any ConsentGatedTrackable)?

    /// Creates a registration and casts the tracker to the common capabilities.
    init(_ tracker: any Trackable) {
        type = tracker.type
        self.tracker = tracker
        vendorEvents = tracker as? any VendorEventTrackable
        consentGate = tracker as? any ConsentGatedTrackable
    }

    /// Whether the user currently denies consent for this tracker.
    var isConsentDenied: Bool { consentGate?.isConsentDenied == true }
}
