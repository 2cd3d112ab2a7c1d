import CoreTracker
import EventDelivery
import Locks

/// Collects what an inspector is told, and sends it beside the events.
///
/// Reports wait in memory up to a bound; what comes beyond it is counted, and the lanes' reports tell the count. Nobody
/// waits for a report.
final class InspectionReporter: Sendable {
    private struct State {
        var lines: [UInt8] = []
        var lost = 0
        var lanes: [LaneID: LaneReport] = [:]
        var open = OpenEvents()

        /// Adds the line of a lane, if it says something new.
        mutating func add(_ report: LaneReport) {
            guard lanes[report.id] != report else { return }
            lanes[report.id] = report
            add(report.line)
        }

        /// Puts a line behind the others, or counts it.
        mutating func add(_ line: [UInt8]) {
            guard lines.count + line.count < InspectionReporter.capacity else { return lost += 1 }
            lines += line
        }
    }

    private static let interval: Duration = .milliseconds(100)
    /// The most bytes of reports that wait.
    private static let capacity = 8 * 1024 * 1024
    /// Each so many intervals the lanes are asked.
    private static let intervalsOfLanes = 5
    /// The most events that are asked for at a time, and when the engine is closed.
    private static let (questions, lastQuestions) = (64, 1_024)

    private let address: InspectorAddress
    private let transport: any Transport
    private let state = Mutex(State())

    /// Creates a reporter that has nothing to tell yet.
    init(to address: InspectorAddress, over transport: any Transport) {
        self.address = address
        self.transport = transport
    }

    /// Reports until the engine is closed or gone.
    func start(watching engine: DeliveryEngine) {
        let diagnostics = engine.diagnostics()
        let watched = { @Sendable [weak engine] in engine }
        Task {
            await withTaskGroup { group in
                group.addTask { await self.report(on: watched) }
                group.addTask { for await _ in diagnostics {} }  // they end with the engine
                await group.next()
                group.cancelAll()
            }
            // What the engine did last: closed, it still says how it stands.
            if let engine = watched() { await self.ask(engine, questions: InspectionReporter.lastQuestions) }
            await self.send()
        }
    }

    /// Notes an event as it is stored, or refused.
    func note(
        _ event: OutgoingEvent,
        on lane: LaneID,
        body: [UInt8],
        repairs: [String: Int],
        refusal: EventRefusal?
    ) {
        let line = ReportLine.event(event, on: lane, body: body, repairs: repairs, refusal: refusal)
        state.withLock { state in
            state.add(line)
            if refusal == nil { state.open.insert(event.id, on: lane) }
        }
    }

    /// Notes an answer and what it means.
    func note(_ response: HTTPResponse, _ verdict: BatchVerdict, for batch: OutgoingBatch, on lane: LaneID) {
        let line = ReportLine.attempt(response, verdict, for: batch, on: lane)
        state.withLock { state in
            state.add(line)
            if verdict == .delivered { state.open.remove(batch.events.map(\.id)) }
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

    /// Asks how the lanes stand, and so many of the events whose end is not known.
    private func ask(_ engine: DeliveryEngine, questions: Int) async {
        for statistics in await engine.statistics() {
            state.withLock { state in state.add(LaneReport(statistics, lostReports: state.lost)) }
        }
        for (vendor, dropped) in NoVendorService.droppedEvents {
            state.withLock { $0.add(LaneReport(vendor: vendor, dropped: dropped, lostReports: $0.lost)) }
        }
        for event in state.withLock({ $0.open.next(questions) }) {
            let fate = await engine.explain(event.id)?.fate
            state.withLock { state in
                guard state.open.note(fate, of: event.id), let fate else { return }
                state.add(ReportLine.fate(fate, of: event.id, on: event.lane))
            }
        }
    }

    private func send() async {
        let lines = state.withLock { state in
            defer { state.lines = [] }
            return state.lines
        }
        guard !lines.isEmpty, let request = address.request(lines) else { return }
        // Without an answer the reports are given up: an inspector shows what is, and keeps nothing for later.
        _ = try? await transport.send(request, deadline: .seconds(5))
    }
}
