import LoopbackCollector

/// The state of the inspector, a value that ``InspectorStore`` protects with a lock.
struct InspectorState: Sendable {
    /// A row of the page: the deliveries of one call of `track`.
    struct Row: Sendable {
        var sightings: [Int]
        /// The row as JSON for the page's list.
        var summary = ""

        /// The approximate size of the row itself, in bytes.
        var byteCount: Int { summary.utf8.count }
    }

    /// The position of a delivery in a timeline.
    private struct Position: Sendable {
        let timeline: String
        let entry: CallTimeline.Entry
    }

    /// The maximum size of events and rows, in bytes.
    ///
    /// If events are large, fewer rows are kept.
    private static let byteCapacity = 256 * 1024 * 1024

    let plan: InspectorPlan
    let capacity: Int
    private let byteCapacity: Int
    /// The approximate size of the events and their rows, in bytes.
    private(set) var byteCount = 0
    private(set) var rows: [Int: Row] = [:]
    private(set) var sightings: [Int: Sighting] = [:]
    /// The numbers of rows, in the order of their changes.
    private(set) var changes = ChangeLog()
    /// The number of the oldest row.
    private(set) var firstRow = 1
    private(set) var nextRow = 1
    private(set) var lanes = LaneBoard()
    private var nextSighting = 1
    private var numbers: [String: Int] = [:]
    /// Deliveries whose bytes contain no id, by service and bytes.
    private var unnamed: [String: [Int]] = [:]
    private var timelines: [String: CallTimeline] = [:]
    private var positions: [Int: Position] = [:]
    private var touched: Set<Int> = []
    /// The number of removed deliveries still in a timeline.
    private var gone: [String: Int] = [:]
    /// The number of calls of planned events whose rows were removed.
    private var forgottenCalls: [String: Int] = [:]

    /// Creates a state with a maximum number of rows and bytes.
    init(plan: InspectorPlan, capacity: Int, byteCapacity: Int = InspectorState.byteCapacity) {
        self.plan = plan
        self.capacity = capacity
        self.byteCapacity = byteCapacity
    }

    /// Returns the deliveries of a row.
    ///
    /// Empty if the row was removed.
    func sightings(ofRow number: Int) -> [Sighting] {
        rows[number]?.sightings.compactMap { sightings[$0] } ?? []
    }

    /// The number of calls of each planned event, by product and type.
    var seenCalls: [String: Int] {
        rows.values.reduce(into: forgottenCalls) { counts, row in
            if let name = plannedName(of: row) { counts[name, default: 0] += 1 }
        }
    }

    /// Records the events of a request.
    mutating func receive(_ events: [CollectedEvent], by arrival: Arrival, of receiver: CollectorService) {
        let service = receiver.name
        let top = service == CollectorService.firebase.name ? CollectedValue(arrival.body) : nil
        // An event that its sender has already reported is validated as well, when it first arrives.
        let isRepeated = events.allSatisfy { event in
            numbers["\(service) \(event.id)"].flatMap { sightings[$0] }.map { $0.arrivals > 0 } ?? false
        }
        let wire =
            isRepeated
            ? []
            : ReceiverFindings.findings(
                on: arrival.head,
                body: arrival.body,
                at: arrival.time,
                of: receiver,
                events: events.count
            )
        for (index, event) in events.enumerated() {
            let number =
                event.id.isEmpty
                ? unnamedSighting(service: service, name: event.name, by: arrival, at: event.range)
                : sighting(service: service, id: event.id, name: event.name, time: arrival.time)
            change(number) { sighting in
                if sighting.arrivals == 0 {
                    sighting.facts = WireFacts(event.json, in: top, of: service)
                    sighting.product = sighting.product ?? sighting.facts?.product
                    if wire.indices.contains(index) { sighting.wireFindings = wire[index] }
                }
                sighting.arrive(by: arrival, at: event.range)
            }
            lanes.count(service: service, product: sightings[number]?.product, status: arrival.status)
        }
        updateRows()
    }

    /// Records a request whose body cannot be decoded.
    mutating func receiveUnreadable(_ arrival: Arrival, of service: String) {
        let number = sighting(service: service, id: "", name: "unreadable body", time: arrival.time)
        change(number) { sighting in
            sighting.arrive(by: arrival, at: arrival.body.indices)
            let text = "The body is not in the service's format."
            sighting.wireFindings = [
                Finding(severity: .error, source: .receiver, code: "unreadable_body", path: "", text: text)
            ]
        }
        updateRows()
    }

    /// Records reports of senders.
    mutating func add(_ reports: [SenderReport], at time: Int64) {
        for report in reports {
            switch report {
            case .event(let lane, let event):
                let number = reportedSighting(service: lane.service, event, time: time)
                change(number) { sighting in
                    sighting.report = event
                    sighting.name = event.name
                    sighting.product = lane.product
                }
            case .awaitingConsent(let lane, let id, let name, let status):
                change(sighting(service: lane.service, id: id, name: name, time: time)) { sighting in
                    sighting.reportedStatus = status
                    sighting.product = lane.product
                }
            case .attempt(let lane, let ids, let attempt):
                for id in ids {
                    guard let number = numbers["\(lane.service) \(id)"] else { continue }
                    change(number) { sighting in
                        sighting.add(attempt)
                        guard attempt.result == "delivered" else { return }
                        sighting.reportedStatus = SenderReport.Status(state: "delivered", reason: "")
                    }
                }
            case .status(let lane, let id, let status):
                if let number = numbers["\(lane.service) \(id)"] { change(number) { $0.reportedStatus = status } }
            case .lane(let lane, let state): lanes.set(lane, state)
            }
        }
        updateRows()
    }

    /// Removes all rows.
    ///
    /// Row numbers continue, so pages can detect the removal.
    mutating func clear() {
        let next = nextRow
        var state = InspectorState(plan: plan, capacity: capacity, byteCapacity: byteCapacity)
        (state.firstRow, state.nextRow, state.changes, state.nextSighting) = (next, next, changes, nextSighting)
        state.lanes = lanes
        state.lanes.removeArrivals()
        state.changes.append(0)
        self = state
    }
}

extension InspectorState {
    private mutating func sighting(service: String, id: String, name: String, time: Int64) -> Int {
        let key = "\(service) \(id)"
        if !id.isEmpty, let known = numbers[key] { return known }
        let number = nextSighting
        nextSighting += 1
        var sighting = Sighting(service: service, id: id, name: name, time: time)
        sighting.row = addRow(with: [number])
        sightings[number] = sighting
        if !id.isEmpty { numbers[key] = number }
        return number
    }

    /// Returns the delivery of an arrival without an id: one reported with the same bytes.
    ///
    /// If several were reported, returns the delivery with the fewest arrivals.
    private mutating func unnamedSighting(
        service: String,
        name: String,
        by arrival: Arrival,
        at place: Range<Int>
    ) -> Int {
        let key = "\(service) \(String(decoding: arrival.body[place], as: UTF8.self))"
        let reported = (unnamed[key] ?? []).filter { sightings[$0]?.report != nil }
        let counts = reported.map { sightings[$0]?.arrivals ?? 0 }
        if let known = zip(reported, counts).min(by: { $0.1 < $1.1 })?.0 { return known }
        let number = sighting(service: service, id: "", name: name, time: arrival.time)
        unnamed[key, default: []].append(number)
        return number
    }

    /// Returns the delivery of a report: by its id or, if the bytes contain no id, by the same bytes.
    private mutating func reportedSighting(service: String, _ event: SenderReport.Event, time: Int64) -> Int {
        guard !event.body.isEmpty, !event.body.contains(event.id), numbers["\(service) \(event.id)"] == nil else {
            return sighting(service: service, id: event.id, name: event.name, time: time)
        }
        let key = "\(service) \(event.body)"
        if let arrived = unnamed[key]?.first(where: { sightings[$0]?.report == nil }) {
            numbers["\(service) \(event.id)"] = arrived
            return arrived
        }
        let number = sighting(service: service, id: event.id, name: event.name, time: time)
        unnamed[key, default: []].append(number)
        return number
    }

    private mutating func addRow(with members: [Int]) -> Int {
        let number = nextRow
        nextRow += 1
        rows[number] = Row(sightings: members)
        return number
    }

    private mutating func change(_ number: Int, _ body: (inout Sighting) -> Void) {
        guard var sighting = sightings[number] else { return }
        byteCount -= sighting.byteCount
        let earlier = (product: sighting.product, counted: sighting.counted)
        let before = (sighting.product, sighting.report == nil, sighting.arrivals == 0, sighting.device)
        body(&sighting)
        let after = (sighting.product, sighting.report == nil, sighting.arrivals == 0, sighting.device)
        if before != after { compareWithPlan(&sighting) }
        if earlier.product == nil, let product = sighting.product {
            lanes.move(earlier.counted, of: sighting.service, to: product)
        }
        byteCount += sighting.byteCount
        sightings[number] = sighting
        touched.insert(number)
    }

    /// Finds the planned event of a delivery, and compares the delivery with it.
    private func compareWithPlan(_ sighting: inout Sighting) {
        let entries = plan.entries(service: sighting.service, name: sighting.name, product: sighting.product)
        sighting.entry = entries.count == 1 ? entries.first : nil
        sighting.isAmbiguous = entries.count > 1
        sighting.planFindings = []
        if entries.isEmpty, plan.covers(service: sighting.service, product: sighting.product) {
            guard !PlanFindings.profileUpdates.contains(sighting.name) else { return }
            sighting.planFindings = [PlanFindings.unknown(sighting.name)]
        } else if let schema = sighting.entry?.parameters {
            let reported = sighting.report.flatMap { report -> (all: CollectedValue, own: Set<String>)? in
                let values = [report.defaults, report.own].map { CollectedValue(Array($0.utf8)) ?? .object([:]) }
                let all = values.flatMap(\.members).map { ($0.key, $0.value) }
                return (.object(Dictionary(all) { $1 }), Set(values[1].members.map(\.key)))
            }
            guard let parameters = reported?.all ?? sighting.facts?.parameters else { return }
            sighting.planFindings = PlanFindings.findings(
                in: parameters,
                schema: schema,
                ownKeys: reported?.own ?? []
            )
        }
    }

    /// Updates the rows of changed deliveries, and records which rows the page must reload.
    private mutating func updateRows() {
        var changed: Set<Int> = []
        var placed: [Int] = []
        for number in touched.sorted() {
            guard let sighting = sightings[number] else { continue }
            changed.insert(sighting.row)
            if place(number, sighting) { placed.append(number) }
        }
        touched = []
        for number in placed { group(around: number, &changed) }
        for number in changed.sorted() { publish(number) }
        evict()
    }

    /// Inserts a delivery into its timeline.
    ///
    /// - Returns: Whether its position in the timeline is new.
    private mutating func place(_ number: Int, _ sighting: Sighting) -> Bool {
        guard let stamp = sighting.stamp, let timeline = timeline(of: sighting) else { return false }
        let entry = CallTimeline.Entry(
            stamp: stamp,
            service: sighting.service,
            product: sighting.entry == nil ? sighting.product : nil,
            call: sighting.entry?.call,
            sighting: number
        )
        if let position = positions[number] {
            guard position.timeline != timeline || position.entry != entry else { return false }
            timelines[position.timeline]?.remove { $0 == number }
        }
        positions[number] = Position(timeline: timeline, entry: entry)
        timelines[timeline, default: CallTimeline()].insert(entry)
        return true
    }

    /// Returns the name of the timeline of a delivery, or `nil` if the delivery is never grouped.
    ///
    /// A delivery is not grouped if its product has a plan without the event, or if several products plan the event.
    private func timeline(of sighting: Sighting) -> String? {
        if let entry = sighting.entry { return "\(entry.product) \(entry.event) \(sighting.device)" }
        return sighting.isUnplanned || sighting.isAmbiguous ? nil : "- \(sighting.device)"
    }

    private mutating func group(around number: Int, _ changed: inout Set<Int>) {
        guard let position = positions[number] else { return }
        for call in timelines[position.timeline]?.calls(around: position.entry) ?? [] {
            let current = call.compactMap { sightings[$0]?.row }
            guard current.count == call.count, let lowest = current.min() else { continue }
            // A row that also contains deliveries of other calls is not reused.
            let isShared = rows[lowest]?.sightings.contains { !call.contains($0) } ?? true
            let row = isShared ? addRow(with: []) : lowest
            guard rows[row]?.sightings != call else { continue }
            for member in call {
                guard let old = sightings[member]?.row else { continue }
                rows[old]?.sightings.removeAll { $0 == member }
                sightings[member]?.row = row
                changed.insert(old)
            }
            rows[row]?.sightings = call
            changed.insert(row)
        }
    }

    private mutating func publish(_ number: Int) {
        guard var row = rows[number] else { return }
        byteCount -= row.byteCount
        if row.sightings.isEmpty {
            rows[number] = nil
        } else {
            row.summary = RowSummary.json(number, row.sightings.compactMap { sightings[$0] })
            byteCount += row.byteCount
            rows[number] = row
        }
        changes.append(number)
    }

    private func plannedName(of row: Row) -> String? {
        row.sightings.lazy.compactMap { sightings[$0]?.entry }.first.map { "\($0.product) \($0.event)" }
    }

    private mutating func evict() {
        while rows.count > capacity || byteCount > byteCapacity && rows.count > 1 {
            if let row = rows.removeValue(forKey: firstRow) {
                byteCount -= row.byteCount
                if let name = plannedName(of: row) { forgottenCalls[name, default: 0] += 1 }
                for number in row.sightings { removeDelivery(number) }
            }
            firstRow += 1
        }
    }

    private mutating func removeDelivery(_ number: Int) {
        guard let sighting = sightings.removeValue(forKey: number) else { return }
        byteCount -= sighting.byteCount
        numbers["\(sighting.service) \(sighting.eventID)"] = nil
        let key = "\(sighting.service) \(sighting.body)"
        unnamed[key]?.removeAll { $0 == number }
        if unnamed[key]?.isEmpty == true { unnamed[key] = nil }
        guard let position = positions.removeValue(forKey: number) else { return }
        let name = position.timeline
        gone[name, default: 0] += 1
        // Removing many at once makes each removal cheap.
        guard let timeline = timelines[name], gone[name, default: 0] * 2 > timeline.count else { return }
        gone[name] = nil
        timelines[name]?.remove { sightings[$0] == nil }
        if timelines[name]?.count == 0 { timelines[name] = nil }
    }
}
