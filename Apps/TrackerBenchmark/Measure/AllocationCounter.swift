import Foundation

/// Counts the allocations of the calling thread, where `Scripts/benchmark` has loaded its counter into the process.
struct AllocationCounter {
    private typealias Count = @convention(c) () -> UInt64

    private let read: Count

    /// Finds the counter; `nil` where none is loaded.
    init?() {
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), "benchmark_allocations") else { return nil }
        read = unsafe unsafeBitCast(symbol, to: Count.self)
    }

    /// How often the calling thread has allocated memory so far.
    var count: UInt64 { read() }
}
