import Foundation
import Locks

/// Threads that run at the same time.
enum Threads {
    /// Runs a closure on several threads, and waits until all have ended.
    ///
    /// - Parameters:
    ///   - count: The number of threads.
    ///   - body: Receives the number of its thread, from 0.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) async {
        let running = Atomic(count)
        await withCheckedContinuation { continuation in
            for thread in 0..<count {
                Thread.detachNewThread {
                    body(thread)
                    if running.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
                        continuation.resume()
                    }
                }
            }
        }
    }
}
