import CoreTracker
import EventDelivery
import SuperApp

extension RunResult {
    /// The lanes as a table of products and services.
    var table: String {
        var table = TextTable([
            ("product", .left), ("service", .left), ("tracked", .right), ("delivered", .right), ("pending", .right),
            ("quarantined", .right), ("dropped", .left), ("adjusted", .left),
        ])
        for lane in lanes {
            table.add([
                lane.id.product, lane.id.service, "\(lane.accepted)", "\(lane.delivered)", "\(lane.pending)",
                "\(lane.quarantined)", RunResult.text(of: lane.dropped), RunResult.text(of: lane.adjusted),
            ])
        }
        return table.text
    }

    /// The counts of received events and of events from an earlier run, one line each.
    var remarks: [String] {
        var lines: [String] = []
        let carried = lanes.reduce(0) { $0 + $1.pendingAtOpen }
        if carried > 0 { lines.append("\(carried) events were waiting from an earlier run") }
        if !arrived.isEmpty {
            let counts = arrived.map { "\($0.service) \($0.events)" }.joined(separator: ", ")
            lines.append("different events at the collector: \(counts)")
        }
        return lines
    }

    /// One line for each reason for which events were not delivered.
    ///
    /// Empty if all were delivered.
    var shortfall: [String] {
        var lines: [String] = []
        for lane in lanes {
            if lane.pending > 0 {
                let reason = lane.hindrance ?? "the run ended before the receiver responded"
                lines.append("  \(lane.id): \(lane.pending) pending; \(reason)")
            }
            for (reason, count) in RunResult.sorted(lane.dropped) {
                lines.append("  \(lane.id): \(count) dropped; \(reason)")
            }
        }
        for (lane, events) in Dictionary(grouping: quarantine, by: \.lane).sorted(by: { $0.key < $1.key }) {
            lines.append("  \(lane): \(events.count) quarantined")
            for event in events.prefix(3) {
                let response = event.response.isEmpty ? "" : "; response: \(event.response.shortened(to: 120))"
                lines.append("    \(event.id): \(event.reason)\(response)")
            }
            if events.count > 3 { lines.append("    and \(events.count - 3) more") }
        }
        for (service, delivered, arrived) in mismatches {
            lines.append("  \(service): \(delivered) acknowledged, but \(arrived) arrived at the collector")
        }
        return lines.isEmpty ? [] : ["not delivered:"] + lines
    }

    private static func text(of counts: [String: Int]) -> String {
        counts.isEmpty ? "0" : sorted(counts).map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }

    private static func sorted(_ counts: [String: Int]) -> [(key: String, value: Int)] {
        counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    }
}

/// A table in plain text, with columns as wide as their widest cell.
struct TextTable {
    /// The alignment of a column's cells.
    enum Alignment {
        case left, right
    }

    private let alignments: [Alignment]
    private var rows: [[String]]

    /// Creates a table with a header.
    init(_ columns: [(title: String, alignment: Alignment)]) {
        alignments = columns.map(\.alignment)
        rows = [columns.map(\.title)]
    }

    /// Adds a row.
    ///
    /// Missing cells are empty.
    mutating func add(_ cells: [String]) {
        rows.append(cells)
    }

    /// The lines of the table, with a rule under the header.
    var text: String {
        let widths = alignments.indices.map { column in rows.map { cell($0, column).count }.max() ?? 0 }
        var lines = rows.map { row in
            alignments.indices.map { column in
                let text = cell(row, column)
                let blanks = String(repeating: " ", count: widths[column] - text.count)
                return alignments[column] == .left ? text + blanks : blanks + text
            }.joined(separator: "  ").trimmingEnd
        }
        lines.insert(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "), at: 1)
        return lines.joined(separator: "\n")
    }

    private func cell(_ row: [String], _ column: Int) -> String {
        row.indices.contains(column) ? row[column] : ""
    }
}

extension String {
    fileprivate var trimmingEnd: String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// The number of events of the playback journey for each vendor, by its lane's ledger and at the demo's receiver.
struct VendorTable {
    /// The vendors and whether they are enabled.
    let vendors: Vendors
    /// The run's lanes.
    let lanes: [LaneResult]
    /// The number of received events by service.
    ///
    /// Empty if the demo has no receiver.
    let arrived: [String: Int]

    /// The table, followed by a line with the number of calls to disabled vendors.
    var text: String {
        var table = TextTable([("vendor", .left), ("", .left), ("tracked", .right), ("arrived", .right)])
        for vendor in VendorEntry.all {
            let tracked = lanes.first { $0.id == vendor.lane }?.accepted ?? 0
            table.add([
                vendor.type.name, vendors.isEnabled(vendor) ? "enabled" : "disabled", "\(tracked)",
                arrived[vendor.type.name].map { "\($0)" } ?? "-",
            ])
        }
        return table.text + "\ncalls that disabled vendors did not receive: \(vendors.disabledCalls)"
    }
}
