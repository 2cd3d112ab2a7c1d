import Foundation

/// A counter of the calling thread's allocations.
///
/// It works if `Scripts/benchmark` has loaded its library into the process.
struct AllocationCounter {
    private typealias Count = @convention(c) () -> UInt64

    private let read: Count

    /// Finds the counter.
    ///
    /// Returns `nil` if none is loaded.
    init?() {
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "benchmark_allocations") else { return nil }
        read = unsafe unsafeBitCast(symbol, to: Count.self)
    }

    /// The number of allocations of the calling thread so far.
    var count: UInt64 { read() }
}
