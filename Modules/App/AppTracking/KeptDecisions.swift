import EventBuffer
import EventDelivery
import Foundation
import Locks

/// The user's decisions that the engine has not stored yet, in a file of the app.
///
/// A decision is written before it is passed to the engine, and removed when the engine has stored it.
final class KeptDecisions: Sendable {
    private struct Entry {
        let consent: Consent
        /// The number of the call, so an earlier call does not remove the decision of a later one.
        let call: Int
    }

    private struct State {
        var entries: [ConsentPurpose: Entry] = [:]
        var calls = 0
        /// Whether the engine is open, so it has stored a decision if it throws no error.
        var isOpen = false
    }

    private let file: URL
    private let state = Mutex(State())

    /// Reads the decisions that an earlier process has left.
    ///
    /// - Parameter file: The file. If it is missing or damaged, there are none.
    init(file: URL) {
        self.file = file
        let names = (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode([String: String].self, from: $0) }
        state.withLock { state in
            for (purpose, consent) in names ?? [:] {
                state.entries[ConsentPurpose(purpose)] = Consent(rawValue: consent).map { Entry(consent: $0, call: 0) }
            }
        }
    }

    /// The kept decisions.
    var decisions: [ConsentPurpose: Consent] { state.withLock { $0.entries.mapValues(\.consent) } }

    /// Passes a decision to the engine, and keeps it until it is stored.
    @concurrent
    func set(_ consent: Consent, for purpose: ConsentPurpose, on engine: DeliveryEngine) async {
        let call = state.withLock { state in
            state.calls += 1
            state.entries[purpose] = Entry(consent: consent, call: state.calls)
            write(state)
            return state.calls
        }
        do {
            try await engine.setConsent(consent, for: purpose)
        } catch .notYetClean {
            // The decision is stored. The engine deletes the remaining data as soon as it can.
        } catch {
            return
        }
        state.withLock { state in
            guard state.isOpen, state.entries[purpose]?.call == call else { return }
            state.entries[purpose] = nil
            write(state)
        }
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

    private func write(_ state: State) {
        guard !state.entries.isEmpty else {
            try? FileManager.default.removeItem(at: file)
            return
        }
        let names = state.entries.map { ($0.key.name, $0.value.consent.rawValue) }
        let folder = file.deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // If the disk refuses the file too, the decision is in effect until the process ends.
        try? JSONEncoder().encode(Dictionary(uniqueKeysWithValues: names)).write(to: file, options: .atomic)
    }
}
