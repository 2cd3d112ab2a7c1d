import CoreTracker
import EventDelivery
import Locks

/// A reporter that collects reports for an inspector and sends them independently of the events.
///
/// Reports wait in a bounded buffer. Reports that exceed it are lost and counted, and the reports of lanes contain the
/// count. No caller waits for a report.
final class InspectionReporter: Sendable {
    private struct State {
        var lines: [UInt8] = []
        var lost = 0
        var open = OpenEvents()

        /// Appends a line, or counts it as lost if the buffer is full.
        mutating func add(_ line: [UInt8]) {
            guard lines.count + line.count < InspectionReporter.capacity else { return lost += 1 }
            lines += line
        }
    }

    private static let interval: Duration = .milliseconds(100)
    /// The maximum size of waiting reports, in bytes.
    private static let capacity = 8 * 1024 * 1024
    /// The number of intervals between two reports of the lanes.
    private static let intervalsOfLanes = 5
    /// The maximum number of events to query at a time, and after the engine was closed.
    private static let (questions, lastQuestions) = (64, 1_024)

    private let address: InspectorAddress
    private let transport: any Transport
    private let state = Mutex(State())

    /// Creates a reporter without reports.
    init(to address: InspectorAddress, over transport: any Transport) {
        self.address = address
        self.transport = transport
    }

    /// Sends reports until the engine is closed or released.
    func start(watching engine: DeliveryEngine) {
        let diagnostics = engine.diagnostics()
        let watched = { @Sendable [weak engine] in engine }
        Task {
            await withTaskGroup { group in
                group.addTask { await self.report(on: watched) }
                group.addTask { for await _ in diagnostics {} }  // The stream ends with the engine.
                await group.next()
                group.cancelAll()
            }
            // A closed engine still returns its final statistics.
            if let engine = watched() { await self.ask(engine, questions: InspectionReporter.lastQuestions) }
            await self.send()
        }
    }

    /// Reports a stored or refused event.
    func record(
        _ event: OutgoingEvent,
        on lane: LaneID,
        body: [UInt8],
        adjustments: [String: Int],
        error: EventEncodingError?
    ) {
        let line = ReportLine.event(event, on: lane, body: body, adjustments: adjustments, error: error)
        state.withLock { state in
            state.add(line)
            if error == nil { state.open.insert(event.id, on: lane) }
        }
    }

    /// Reports a response and its result.
    func record(_ response: HTTPResponse, _ result: BatchResult, for batch: OutgoingBatch, on lane: LaneID) {
        let line = ReportLine.attempt(response, result, for: batch, on: lane)
        state.withLock { state in
            state.add(line)
            if result == .delivered { state.open.remove(batch.events.map(\.id)) }
        }
    }

    private func report(on watched: @Sendable () -> DeliveryEngine?) async {
        var round = 0
        while (try? await ContinuousClock().sleep(for: InspectionReporter.interval)) != nil {
            guard let engine = watched() else { return }
            round += 1
            if round.isMultiple(of: InspectionReporter.intervalsOfLanes) {
                await ask(engine, questions: InspectionReporter.questions)
            }
            await send()
        }
    }

    /// Reports the statistics of the lanes, also unchanged ones, and the status of some events.
    ///
    /// An inspector that starts later than the app knows no lane.
    private func ask(_ engine: DeliveryEngine, questions: Int) async {
        for statistics in await engine.statistics() {
            state.withLock { state in state.add(ReportLine.lane(statistics, lostReports: state.lost)) }
        }
        for event in state.withLock({ $0.open.next(questions) }) {
            let status = await engine.explain(event.id)?.status
            state.withLock { state in
                guard state.open.record(status, of: event.id), let status else { return }
                state.add(ReportLine.status(status, of: event.id, on: event.lane))
            }
        }
    }

    private func send() async {
        let lines = state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
        guard !lines.isEmpty, let request = address.request(lines) else { return }
        // If there is no response, the reports are discarded: an inspector shows only the current state.
        _ = try? await transport.send(request, timeout: .seconds(5))
    }
}
