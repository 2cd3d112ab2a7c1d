import CoreTracker
import EventDelivery
import EventDeliveryTesting
import Locks

/// A destination with scripted results for its responses, in order.
final class JudgingDestination: DestinationWrapper {
    let base: any Destination
    private let results: Mutex<[BatchResult]>
    private let otherwise: BatchResult

    init(base: any Destination, results: [BatchResult], otherwise: BatchResult = .delivered) {
        self.base = base
        self.results = Mutex(results)
        self.otherwise = otherwise
    }

    func result(for response: HTTPResponse, of batch: OutgoingBatch) -> BatchResult {
        results.withLock { $0.isEmpty ? nil : $0.removeFirst() } ?? otherwise
    }
}
