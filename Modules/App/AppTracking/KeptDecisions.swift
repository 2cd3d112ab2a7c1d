import CoreTracker
import EventDelivery
import EventTracking
import Foundation
import Locks

/// The user's decisions that the engine could not store, in a file of the app.
final class KeptDecisions: Sendable {
    private struct State {
        /// The latest decisions, without those that the engine has stored.
        var decisions: [ConsentPurpose: Consent] = [:]
        /// The number of calls, and the last call about each purpose: the result of an earlier one is out of date.
        var calls = 0
        var lastCall: [ConsentPurpose: Int] = [:]
        /// Whether the engine is open, so it has stored a decision if it throws no error.
        var isOpen = false
        /// Whether the file was read or is missing.
        ///
        /// A file that cannot be read is not replaced, because it can contain a denial.
        var isRead = false
        /// The lanes that are held because the file can contain a decision about their purpose.
        var held: [ConsentPurpose: Set<LaneID>] = [:]
    }

    /// The reason for holding lanes until the file can be read.
    private static let holdReason = HoldReason("unread_decisions")

    private let file: URL
    private let state: Mutex<State>

    /// Reads the decisions that an earlier process has left.
    ///
    /// - Parameter file: The file. If it is missing or damaged, there are none. If it cannot be read, for example
    ///   before the first unlock, it is read later.
    init(file: URL) {
        self.file = file
        state = Mutex(State())
        _ = state.withLock { read(&$0) }
    }

    /// The kept decisions.
    var decisions: [ConsentPurpose: Consent] { state.withLock { $0.decisions } }

    /// Passes a decision to the engine, and keeps it if it is not stored.
    ///
    /// Then it passes the decisions of a file that could not be read before.
    func set(_ consent: Consent, for purpose: ConsentPurpose, on engine: DeliveryEngine) async {
        await pass(consent, for: purpose, to: engine)
        await readAgain(for: engine)
    }

    /// Tries to read the file if it could not be read before, and passes its decisions to the engine.
    ///
    /// A decision about a purpose is out of date if ``set(_:for:on:)`` was called for the purpose.
    @concurrent
    func readAgain(for engine: DeliveryEngine) async {
        let purposes = state.withLock { state in
            guard !state.isRead, read(&state) else { return [ConsentPurpose]() }
            for purpose in state.held.keys where state.decisions[purpose] == nil { release(purpose, &state, engine) }
            return Array(state.decisions.keys)
        }
        await pass(purposes, to: engine)
    }

    /// Reads the file, unless it was read before.
    ///
    /// Returns `false` if it cannot be read now.
    @discardableResult
    private func read(_ state: inout State) -> Bool {
        guard !state.isRead else { return true }
        var names: [String: String] = [:]
        do {
            let data = try Data(contentsOf: file)
            names = (try? JSONDecoder().decode([String: String].self, from: data)) ?? [:]
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            // No decision was kept.
        } catch {
            return false
        }
        state.isRead = true
        for (name, consent) in names where state.lastCall[ConsentPurpose(name)] == nil {
            state.decisions[ConsentPurpose(name)] = Consent(rawValue: consent)
        }
        if !state.lastCall.isEmpty { write(state.decisions) }
        return true
    }

    /// Passes a decision to the engine, releases the lanes that are held for it, and keeps it if it is not stored.
    ///
    /// Without a decision, it passes the kept one. A call in progress has already replaced it by its own.
    private func pass(_ decision: Consent? = nil, for purpose: ConsentPurpose, to engine: DeliveryEngine) async {
        let next: (call: Int, decision: PrivacyDecision?)? = state.withLock { state in
            guard let consent = decision ?? state.decisions[purpose] else { return nil }
            state.decisions[purpose] = consent
            state.calls += 1
            state.lastCall[purpose] = state.calls
            // Decide under the lock. Otherwise a kept decision could take effect after a later call.
            let isAcceptable = engine.buffer.isAcceptable(.consent(purpose, consent))
            return (state.calls, isAcceptable ? engine.buffer.decide(consent, about: purpose) : nil)
        }
        guard let (call, decision) = next else { return }
        var isStored = decision != nil
        do throws(DecisionError) {
            if let decision { _ = try await engine.carryOut(decision) }
        } catch .notYetClean {
            // The engine deletes the remaining data as soon as it can.
        } catch {
            isStored = false
        }
        state.withLock { release(purpose, &$0, engine) }
        await finish(call, for: purpose, isStored: isStored)
    }

    /// Opens the engine with the kept decisions in effect from the first event on, then passes them to it again.
    func open(_ engine: DeliveryEngine, _ configuration: DeliveryConfiguration) async throws(EngineError) {
        var configuration = configuration
        state.withLock { hold(configuration.destinations, &$0, engine) }
        configuration.consent.merge(decisions) { $1 }
        try await engine.open(configuration)
        state.withLock { $0.isOpen = true }
        // A grant in the configuration never replaces a stored denial.
        await pass(Array(decisions.keys), to: engine)
    }

    private func pass(_ purposes: [ConsentPurpose], to engine: DeliveryEngine) async {
        for purpose in purposes { await pass(for: purpose, to: engine) }
    }

    /// Holds the lanes about whose purposes the unread file can contain a decision.
    private func hold(_ destinations: [any Destination], _ state: inout State, _ engine: DeliveryEngine) {
        guard !read(&state) else { return }
        for destination in destinations where state.lastCall[destination.purpose] == nil {
            state.held[destination.purpose, default: []].insert(destination.lane)
            engine.hold(destination.lane, reason: KeptDecisions.holdReason)
        }
    }

    private func release(_ purpose: ConsentPurpose, _ state: inout State, _ engine: DeliveryEngine) {
        for lane in state.held.removeValue(forKey: purpose) ?? [] {
            engine.release(lane, reason: KeptDecisions.holdReason)
        }
    }

    /// Removes the decision of a call if it is stored, and writes the file, unless a later call is about the purpose.
    @concurrent
    private func finish(_ call: Int, for purpose: ConsentPurpose, isStored: Bool) async {
        state.withLock { state in
            guard state.lastCall[purpose] == call else { return }
            if isStored, state.isOpen { state.decisions[purpose] = nil }
            if state.isRead { write(state.decisions) }
        }
    }

    private func write(_ decisions: [ConsentPurpose: Consent]) {
        guard !decisions.isEmpty else {
            try? FileManager.default.removeItem(at: file)
            return
        }
        let names = Dictionary(uniqueKeysWithValues: decisions.map { ($0.key.name, $0.value.rawValue) })
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // If the disk refuses the file too, the decision is in effect until the process ends.
        try? JSONEncoder().encode(names).write(to: file, options: .atomic)
    }
}
