import CoreTracker
import Foundation

/// The number of a product's plan, which its in-house rows have in the column `schema`.
///
/// It is the constant `planNumber` in the file of the product's tracker, such as `ACTracker.swift`. A product without
/// one has no number.
struct PlanNumber {
    private static var declaration: Regex<(Substring, Substring, Substring)> {
        /(static let planNumber = )(\d+)/
    }

    let product: String
    let value: Int
    private let file: URL
    private let text: String

    /// Finds the number of a product in sources.
    init?(of product: String, in sources: [SourceFile]) {
        for source in sources {
            guard let url = source.url, url.lastPathComponent == "\(product)Tracker.swift",
                let match = source.text.firstMatch(of: PlanNumber.declaration), let value = Int(match.2)
            else { continue }
            (self.product, self.value, file, text) = (product, value, url, source.text)
            return
        }
        return nil
    }

    /// Returns the numbers of the products whose in-house events differ such that their readers break.
    static func outdated(by new: Plan, since old: Plan, in sources: [SourceFile]) -> [PlanNumber] {
        Set(old.entries.map(\.product)).sorted().filter { product in
            let changes = PlanDifference(from: old.rows(of: product), to: new.rows(of: product)).changes
            return changes.contains { $0.breaks.contains(.receivers) }
        }
        .compactMap { PlanNumber(of: $0, in: sources) }
    }

    /// Writes the next number to the source.
    func raise() throws {
        let next = text.replacing(PlanNumber.declaration, maxReplacements: 1) { "\($0.1)\(value + 1)" }
        try Data(next.utf8).write(to: file)
    }
}

extension Plan {
    /// The part of the plan with the in-house events of a product.
    fileprivate func rows(of product: String) -> Plan {
        var plan = Plan()
        plan.entries = entries.filter {
            $0.product == product && $0.service == LaneID.awesomeTracking(product: product).service
        }
        return plan
    }
}
