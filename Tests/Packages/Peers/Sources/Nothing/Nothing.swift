import Foundation
import Measuring

/// The driver of no library, whose figures are the cost of measuring.
@main
struct Nothing: Peer {
    static let note = "the cost of measuring"

    init(in directory: URL) {}

    func track(_ event: ShopEvent) {}

    func store() async {}

    func close() async -> Int? { nil }

    static func main() async throws { try await Driver.measure(Self.self) }
}
