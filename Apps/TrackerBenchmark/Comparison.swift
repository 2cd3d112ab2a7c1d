/// A row that two commits measured by turns.
struct Comparison {
    /// The name of the row.
    let name: String
    /// The unit of the values, or `nil` if only the other commit has the row.
    let unit: RowUnit?
    /// The result of this checkout, if any.
    let today: RowResult?
    /// The result of the other commit, if any.
    let then: RowResult?
    /// The ratios of a value to that of the other commit in the same turn.
    let ratio: Spread?

    /// Combines the runs of a figure.
    ///
    /// - Parameters:
    ///   - figure: The figure of this checkout.
    ///   - today: The samples of each run of this checkout.
    ///   - then: The samples of the other commit's runs.
    /// - Returns: The figure's rows, then those that only the other commit has.
    static func all(of figure: any Figure, today: [[Sample]], then: [[Sample]]) -> [Comparison] {
        let known = Set(figure.rows.map(\.name))
        let others = then.first?.map(\.row).filter { !known.contains($0) } ?? []
        return figure.rows.map { row in
            let (now, before) = (values(of: row.name, today), values(of: row.name, then))
            let ratios = zip(now, before).compactMap { now, before in
                before.flatMap { before in now.flatMap { before == 0 ? nil : $0 / before } }
            }
            return Comparison(
                name: row.name,
                unit: row.unit,
                today: RowResult(row, samples: today.flatMap(\.self)),
                then: RowResult(row, samples: then.flatMap(\.self)),
                ratio: Spread(ratios)
            )
        } + others.map { Comparison(name: $0, unit: nil, today: nil, then: nil, ratio: nil) }
    }

    private static func values(of row: String, _ runs: [[Sample]]) -> [Double?] {
        runs.map { samples in samples.first { $0.row == row }?.value }
    }

    /// Returns the table of rows.
    static func table(_ rows: [Comparison], commit: String) -> String {
        guard !rows.isEmpty else { return "no figure has a row with this name" }
        let titles = ["figure", "today", "least–most", "× floor", commit, "least–most", "× floor", "ratio", "", ""]
        return Report.table([titles] + rows.map { $0.cells(commit) }, numbers: 1...8)
    }

    private func cells(_ commit: String) -> [String] {
        let ratios = ratio.map { "\(RowUnit.rounded($0.least))–\(RowUnit.rounded($0.most))" } ?? ""
        return [name] + cells(of: today) + cells(of: then) + [ratio.map { RowUnit.rounded($0.median) } ?? "", ratios]
            + [note(commit)]
    }

    private func cells(of result: RowResult?) -> [String] {
        guard let value = result?.value, let unit else { return ["–", "", ""] }
        let range = "\(unit.text(value.least))–\(unit.text(value.most))"
        return [unit.text(value.median), range, result?.ratio.map(RowUnit.rounded) ?? ""]
    }

    /// The only commit with the row, or the reason for which today has no value.
    private func note(_ commit: String) -> String {
        guard let today else { return "only in \(commit)" }
        return today.note ?? (then?.value == nil ? "only today" : "")
    }
}

/// A check whether other programs used the processors during a measurement.
struct QuietCheck {
    private let start = ProcessUsage.machineTime

    /// The result since the check was created.
    var sentence: String {
        guard let start, let end = ProcessUsage.machineTime, end.possible > start.possible else {
            return "This system does not tell whether the machine was quiet."
        }
        let others = (end.all - start.all) - (end.own - start.own)
        return QuietCheck.sentence(share: max(0, others / (end.possible - start.possible)))
    }

    /// Returns the result for the share of the processors' time that other programs used.
    static func sentence(share: Double) -> String {
        let state = share <= 0.1 ? "The machine was quiet" : "THE MACHINE WAS NOT QUIET: measure again later"
        return "\(state). Other programs used \(RowUnit.rounded(share * 100)) % of the processors' time."
    }
}
