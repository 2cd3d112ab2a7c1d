import CoreTracker
import EventDelivery
import EventDeliveryAPI
import Foundation
import Locks

/// The user's decisions that the engine could not store, in a file of the app.
final class KeptDecisions: Sendable {
    private struct State {
        var decisions: [ConsentPurpose: Consent] = [:]
        /// The number of calls, and the last call about each purpose: the result of an earlier one is out of date.
        var calls = 0
        var lastCall: [ConsentPurpose: Int] = [:]
        /// Whether the engine is open, so it has stored a decision if it throws no error.
        var isOpen = false
    }

    private let file: URL
    private let state: Mutex<State>

    /// Reads the decisions that an earlier process has left.
    ///
    /// - Parameter file: The file. If it is missing or damaged, there are none.
    init(file: URL) {
        self.file = file
        let names = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
        var state = State()
        for (purpose, consent) in names ?? [:] {
            state.decisions[ConsentPurpose(purpose)] = Consent(rawValue: consent)
        }
        self.state = Mutex(state)
    }

    /// The kept decisions.
    var decisions: [ConsentPurpose: Consent] { state.withLock { $0.decisions } }

    /// Passes a decision to the engine, and keeps it if it is not stored.
    func set(_ consent: Consent, for purpose: ConsentPurpose, on engine: DeliveryEngine) async {
        let call = state.withLock { state in
            state.calls += 1
            state.lastCall[purpose] = state.calls
            return state.calls
        }
        var isStored = true
        do {
            try await engine.setConsent(consent, for: purpose)
        } catch .notYetClean {
            // The engine deletes the remaining data as soon as it can.
        } catch {
            isStored = false
        }
        await finish(call, consent, for: purpose, isStored: isStored)
    }

    /// Opens the engine with the kept decisions in effect from the first event on, then passes them to it again.
    func open(_ engine: DeliveryEngine, _ configuration: DeliveryConfiguration) async throws(EngineError) {
        var configuration = configuration
        configuration.consent.merge(decisions) { $1 }
        try await engine.open(configuration)
        state.withLock { $0.isOpen = true }
        // A grant in the configuration never replaces a stored denial.
        for purpose in decisions.keys {
            guard let consent = decisions[purpose] else { continue }
            await set(consent, for: purpose, on: engine)
        }
    }

    /// Keeps the decision of a call or removes it, unless a later call is about the same purpose.
    @concurrent
    private func finish(_ call: Int, _ consent: Consent, for purpose: ConsentPurpose, isStored: Bool) async {
        state.withLock { state in
            let kept = isStored && state.isOpen ? nil : consent
            guard state.lastCall[purpose] == call, state.decisions[purpose] != kept else { return }
            state.decisions[purpose] = kept
            write(state.decisions)
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
