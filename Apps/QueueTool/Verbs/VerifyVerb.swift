import CoreTracker
import EventDelivery
import EventOutbox

/// The command `verify`, which checks each record, and compares counts and ledgers with the rows.
struct VerifyVerb {
    /// The results.
    private struct Tally {
        var records = (sound: 0, known: 0)
        var lanes = 0
        var agreeing = 0
        var balanced = 0
        var findings: [String] = []
    }

    let reader: QueueReader
    let output: Output

    func run(_ arguments: QueueArguments) throws(ToolError) -> QueueExitCode {
        var tally = Tally()
        if let queue = try reader.open() {
            switch queue.obstacle {
            case nil: verify(queue, &tally)
            case .damaged: tally.findings.append(damage(of: queue))
            case let obstacle?: tally.findings.append("\(queue.file.name): \(obstacle.explanation)")
            }
        }
        if let refusal = reader.directory.refusal { tally.findings.append(refusal) }
        for name in reader.directory.moveAside {
            tally.findings.append("\(name): a damaged file was moved aside; `queue` with this directory shows it")
        }
        if arguments.isJSON { output.print(json(tally)) } else { for line in lines(tally) { output.print(line) } }
        return tally.findings.isEmpty ? .success : .found
    }

    private func verify(_ queue: OpenQueue, _ tally: inout Tally) {
        for lane in queue.lanes {
            do throws(OutboxError) {
                try verify(lane, of: queue, &tally)
            } catch {
                tally.findings.append("\(queue.file.name), \(lane.stored.id): cannot be read: \(error)")
            }
        }
    }

    private func verify(_ lane: OpenQueue.Lane, of queue: OpenQueue, _ tally: inout Tally) throws(OutboxError) {
        let (place, ledger) = ("\(queue.file.name), \(lane.stored.id)", lane.stored.ledger)
        var counted = LaneCounts()
        var missing = 0
        func count(_ segment: Segment) {
            let sound = segment.read().count
            tally.records.sound += sound
            tally.records.known += segment.count
            missing += segment.count - sound
            output.progress("read \(tally.records.known.grouped) events")
        }
        try queue.forEachSummary(of: lane) { summary throws(OutboxError) in
            counted.count(summary, sign: 1)
            if let segment = try queue.outbox.segment(at: summary.place) { count(segment) }
            return true
        }
        let refused = queue.quarantined.count { $0.lane == lane.stored.id }
        tally.records.sound += refused
        tally.records.known += ledger.quarantined
        missing += max(0, ledger.quarantined - refused)
        tally.lanes += 1
        if missing > 0 { tally.findings.append("\(place): \(plural(missing, "record")) damaged or missing") }
        if counted == lane.stored.counts {
            tally.agreeing += 1
        } else {
            tally.findings.append("\(place): the counts differ from the rows; the engine corrects them when it opens")
        }
        let stored = counted.total
        if ledger.pending == stored, ledger.quarantined == refused {
            tally.balanced += 1
        } else {
            let known = "\(plural(ledger.pending, "event")) pending, \(ledger.quarantined.grouped) quarantined"
            tally.findings.append(
                "\(place): the ledger has \(known), but the rows have \(stored.grouped) and \(refused.grouped)"
            )
        }
    }

    private func damage(of queue: OpenQueue) -> String {
        let saved = queue.lanes.reduce(0) { $0 + $1.stored.counts.total + $1.stored.ledger.quarantined }
        return "\(queue.file.name): damaged; \(plural(saved, "event")) can be recovered, \(queue.lost.grouped) are lost"
    }

    private func lines(_ tally: Tally) -> [String] {
        [
            "records   \(tally.records.sound.grouped) of \(tally.records.known.grouped) valid",
            "counts    \(tally.agreeing) of \(plural(tally.lanes, "lane")) agree with their rows",
            "ledger    accepted = delivered + pending + quarantined + dropped in "
                + "\(tally.balanced) of \(plural(tally.lanes, "lane"))",
        ] + tally.findings.map { "finding   \($0)" }
    }

    private func json(_ tally: Tally) -> JSONWriter {
        var json = JSONWriter()
        json.object([
            "records": .int(tally.records.known), "sound": .int(tally.records.sound), "lanes": .int(tally.lanes),
            "countsAgree": .int(tally.agreeing), "ledgersAgree": .int(tally.balanced),
            "findings": .array(tally.findings.map { .string($0) }),
        ])
        return json
    }
}
