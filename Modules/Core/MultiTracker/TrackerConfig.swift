public import CoreTracker
import Locks

/// A configuration that selects the registered trackers to call.
///
/// The selection may change at any time.
///
/// Contract: both members may be read from any thread, and do not call the store.
public protocol TrackerConfigurable: Sendable {
    /// The enabled trackers.
    var enabledTrackers: EnabledTrackers { get }
    /// A number that increases after each change of ``enabledTrackers``, and never before it.
    ///
    /// `nil` by default.
    ///
    /// A store reads the number at each call. If it has not changed, the store does not read ``enabledTrackers``. It
    /// ignores a selection with a lower number, because a slower thread can store an older selection later. If there is
    /// no number, the store reads and compares ``enabledTrackers`` at each call.
    var revision: UInt64? { get }
}

extension TrackerConfigurable {
    /// Always `nil`.
    public var revision: UInt64? { nil }
}

/// The set of enabled trackers, which can change while the app runs.
///
/// All members may be called from any thread. Calls that start after a change has returned use the new set. Calls in
/// progress may still use the previous one.
///
/// ```swift
/// let config = TrackerConfig()
///
/// try config.apply(remoteNames: ["braze", "sumo.logs", "braze"])
///
/// #expect(config.enabledTrackers == .only(["braze", "sumo.logs"]))
/// ```
public final class TrackerConfig: Sendable {
    /// The maximum number of names in a remote list.
    public static let maximumNames = 256
    /// The maximum length of a name in a remote list, in UTF-8 bytes.
    public static let maximumNameBytes = 64

    private struct State {
        var enabledTrackers: EnabledTrackers
        var rejections: [String: Int] = [:]
    }

    private let state: Mutex<State>
    private let changes = Atomic<UInt64>(0)

    /// Creates a configuration.
    ///
    /// - Parameter enabledTrackers: The enabled trackers; by default, every registered tracker.
    public init(_ enabledTrackers: EnabledTrackers = .all(except: [])) {
        state = Mutex(State(enabledTrackers: enabledTrackers))
    }

    /// The number of rejected remote lists, by the name of the violated rule.
    public var rejections: [String: Int] { state.withLock { $0.rejections } }

    /// Enables one tracker and leaves the others unchanged.
    ///
    /// - Parameter type: The tracker's type.
    public func enable(_ type: TrackerType) {
        change { $0.insert(type) }
    }

    /// Disables one tracker and leaves the others unchanged.
    ///
    /// - Parameter type: The tracker's type.
    public func disable(_ type: TrackerType) {
        change { $0.remove(type) }
    }

    /// Replaces the whole set.
    ///
    /// - Parameter enabledTrackers: The new set.
    public func replace(with enabledTrackers: EnabledTrackers) {
        change { $0 = enabledTrackers }
    }

    /// Enables exactly the trackers in a list from a remote configuration.
    ///
    /// If the list is invalid, the whole list is rejected and counted, and the previous set stays in effect. The name
    /// of an unregistered tracker is kept, because the tracker may be registered later.
    ///
    /// - Parameter names: The names of the trackers. An empty list disables all of them.
    /// - Throws: A ``TrackerConfigError`` for the first violated rule.
    public func apply(remoteNames names: [String]) throws(TrackerConfigError) {
        if let error = TrackerConfig.fault(in: names) {
            state.withLock { $0.rejections[error.rule, default: 0] += 1 }
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

/// An error in a remote list of enabled trackers.
///
/// An index counts from 0.
public enum TrackerConfigError: Error, Equatable {
    /// The list has more names than the limit.
    case tooManyNames(count: Int, limit: Int)
    /// A name is empty.
    case emptyName(index: Int)
    /// A name has more UTF-8 bytes than the limit.
    case nameTooLong(index: Int, limit: Int)
    /// A name has a character other than ASCII letters, digits, `.`, `_` and `-`.
    case invalidCharacter(index: Int)

    /// The stable name of the violated rule, under which rejected lists are counted.
    public var rule: String {
        switch self {
        case .tooManyNames: "too_many_names"
        case .emptyName: "empty_name"
        case .nameTooLong: "name_too_long"
        case .invalidCharacter: "invalid_character"
        }
    }
}
