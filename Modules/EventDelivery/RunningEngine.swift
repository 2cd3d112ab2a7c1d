import CoreTracker
import Foundation
import Synchronization

/// The parts of an open engine, and the tasks that move events through them.
actor RunningEngine {
    nonisolated let store: DeliveryStore
    private let intake: Intake
    private let diagnostics: DiagnosticStream
    private let configuration: DeliveryConfiguration
    private var runners: [Int: LaneRunner] = [:]
    private var writing: Task<Void, Never>?
    private var sending: [Task<Void, Never>] = []
    private var flushNumber = 0
    private var closing: Task<FlushReport, Never>?

    init(intake: Intake, diagnostics: DiagnosticStream, configuration: DeliveryConfiguration) {
        self.intake = intake
        self.diagnostics = diagnostics
        self.configuration = configuration
        store = DeliveryStore(intake: intake, diagnostics: diagnostics, configuration: configuration)
    }

    /// Opens the outbox, stores what was held, and starts the lanes.
    func start() async {
        let states = await store.start()
        let store = store
        writing = Task { await store.runWriter() }
        for (index, state) in states.enumerated() {
            guard let destination = state.destination else { continue }
            let runner = LaneRunner(
                lane: index,
                state: state,
                destination: destination,
                transport: destination.transport ?? configuration.transport,
                store: store
            )
            runners[index] = runner
            sending.append(Task { await runner.run() })
        }
    }

    func flush(deadline: Duration) async -> FlushReport {
        let end = intake.clock.monotonicTime().advanced(by: deadline)
        await store.persistAll(barrier: true)
        let before = await store.statistics()
        let targets = await store.flushTargets()
        for runner in runners.values { await runner.flush() }
        flushNumber += 1
        let number = flushNumber
        let (store, clock) = (store, intake.clock)
        let timer = Task {
            if (try? await clock.sleep(until: end)) != nil { await store.endFlush(number: number) }
        }
        await store.waitForFlush(number: number, targets: targets, deadline: end)
        timer.cancel()
        return await store.report(targets: targets, before: before, deadline: end)
    }

    func close(deadline: Duration) async -> FlushReport {
        if let closing { return await closing.value }
        let task = Task {
            let report = await self.flush(deadline: deadline)
            await self.stop()
            return report
        }
        closing = task
        return await task.value
    }

    private func stop() async {
        intake.close()
        for runner in runners.values { await runner.stop() }
        // What was answered at the last moment is settled before the outbox closes.
        for task in sending { await task.value }
        await store.stop()
        await writing?.value
        diagnostics.finish()
    }

    func resume(_ lane: LaneID?) async {
        for runner in runners.values where lane == nil || runner.id == lane { await runner.resume() }
    }

    func setConsent(_ consent: Consent, for purpose: ConsentPurpose) async throws(OutboxError) {
        let indices = await store.lanes(for: purpose)
        if consent == .denied { intake.deny(indices) }
        for index in indices where consent != .granted { await runners[index]?.suspend() }
        if consent != .denied {
            // What was tracked before the word belongs to the word before.
            await store.persistAll(barrier: false)
        }
        try await store.apply(consent, to: indices)
        if consent != .denied { intake.allow(indices) }
        for index in indices where consent == .granted { await runners[index]?.unsuspend() }
    }
}
