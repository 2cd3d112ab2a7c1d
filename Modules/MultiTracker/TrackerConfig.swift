public import CoreTracker
import Locks

/// The set of enabled trackers, changeable from any thread while the app runs.
///
/// A call that starts after a change has returned sees it; a call that is under way may still see the set from before.
public final class TrackerConfig: Sendable {
    /// The most names that a list from outside may have.
    public static let maximumNames = 256
    /// The most UTF-8 bytes that a name from outside may have.
    public static let maximumNameBytes = 64

    private struct State {
        var enabledTrackers: EnabledTrackers
        var refusals: [String: Int] = [:]
    }

    private let state: Mutex<State>
    private let changes = Atomic<UInt64>(0)

    /// Creates a configuration; without an argument every registered tracker is enabled.
    public init(_ enabledTrackers: EnabledTrackers = .all(except: [])) {
        state = Mutex(State(enabledTrackers: enabledTrackers))
    }

    /// How often a list from outside was refused, by the broken rule's name.
    public var refusals: [String: Int] { state.withLock { $0.refusals } }

    /// Enables one type and leaves the others as they are.
    public func enable(_ type: TrackerType) {
        change { $0.insert(type) }
    }

    /// Disables one type and leaves the others as they are.
    public func disable(_ type: TrackerType) {
        change { $0.remove(type) }
    }

    /// Replaces the whole set.
    public func replace(with enabledTrackers: EnabledTrackers) {
        change { $0 = enabledTrackers }
    }

    /// Enables exactly the trackers that a remote configuration names; an empty list switches all of them off.
    ///
    /// A list with a fault is refused as a whole and counted, and the set from before stays in force. A name that no
    /// tracker has is kept: its tracker may be registered later.
    public func apply(remoteNames names: [String]) throws(TrackerConfigError) {
        if let error = TrackerConfig.fault(in: names) {
            state.withLock { $0.refusals[error.rule, default: 0] += 1 }
            throw error
        }
        replace(with: .only(Set(names.map { TrackerType($0) })))
    }

    private func change(_ body: (inout EnabledTrackers) -> Void) {
        state.withLock {
            body(&$0.enabledTrackers)
            changes.wrappingAdd(1, ordering: .releasing)
        }
    }

    private static func fault(in names: [String]) -> TrackerConfigError? {
        guard names.count <= maximumNames else { return .tooManyNames(count: names.count, limit: maximumNames) }
        for (index, name) in names.enumerated() {
            if name.isEmpty { return .emptyName(index: index) }
            if name.utf8.count > maximumNameBytes { return .nameTooLong(index: index, limit: maximumNameBytes) }
            if !name.utf8.allSatisfy(isNameCharacter) { return .invalidCharacter(index: index) }
        }
        return nil
    }

    private static func isNameCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "._-".utf8.contains(byte)
        }
    }
}

extension TrackerConfig: TrackerConfigurable {
    public var revision: UInt64? { changes.load(ordering: .acquiring) }
    public var enabledTrackers: EnabledTrackers { state.withLock { $0.enabledTrackers } }
}
