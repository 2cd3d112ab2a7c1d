import Foundation

/// The resources that this process has used so far.
enum ProcessUsage {
    /// The processor time of all threads in nanoseconds, in user and kernel mode.
    static var processorTime: Double { processorTime(resources(ofChildren: false)) }

    private static func processorTime(_ usage: rusage) -> Double {
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        return seconds * 1e9 + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e3
    }

    /// The time in seconds that all programs, and this one with its terminated children, have used the processors so
    /// far, and the time that the processors had, or `nil` without `/proc`.
    static var machineTime: (all: Double, own: Double, possible: Double)? {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8) else { return nil }
        // The columns are user, nice, system, idle, iowait, irq, softirq and steal.
        let ticks = text.prefix { $0 != "\n" }.split(separator: " ").dropFirst().prefix(8).compactMap { Double($0) }
        guard ticks.count == 8 else { return nil }
        let (possible, second) = (ticks.reduce(0, +), Double(sysconf(Int32(_SC_CLK_TCK))))
        let own = (processorTime + processorTime(resources(ofChildren: true))) / 1e9
        return ((possible - ticks[3] - ticks[4]) / second, own, possible / second)
    }

    /// The processor time of the calling thread in nanoseconds, in user and kernel mode.
    static var processorTimeOfThread: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }

    /// Limits the size of all files written by the process, or removes the limit.
    ///
    /// A write beyond the limit fails.
    static func limitFiles(to bytes: UInt?) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit()
        #if canImport(Darwin)
        unsafe getrlimit(RLIMIT_FSIZE, &limit)
        limit.rlim_cur = bytes.map(rlim_t.init) ?? limit.rlim_max
        unsafe setrlimit(RLIMIT_FSIZE, &limit)
        #else
        unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        limit.rlim_cur = bytes.map(rlim_t.init) ?? limit.rlim_max
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
        #endif
    }

    /// The peak resident memory of all terminated children in bytes.
    static var peakMemoryOfChildren: Double {
        // Linux reports kilobytes, and Darwin bytes.
        #if canImport(Darwin)
        Double(resources(ofChildren: true).ru_maxrss)
        #else
        Double(resources(ofChildren: true).ru_maxrss) * 1_024
        #endif
    }

    /// The current resident memory in bytes, or `nil` without `/proc`.
    static var residentMemory: Double? { status("VmRSS:").map { $0 * 1_024 } }

    /// The peak resident memory in bytes, or `nil` without `/proc`.
    static var peakMemory: Double? { status("VmHWM:").map { $0 * 1_024 } }

    /// The number of bytes that this process has written so far, or `nil` without `/proc`.
    static var bytesWritten: Double? { field("wchar:", in: "/proc/self/io") }

    /// The number of bytes that this process has caused to be written to a disk so far, or `nil` without `/proc`.
    ///
    /// It is 0 in a file system in memory.
    static var bytesOnDisk: Double? { field("write_bytes:", in: "/proc/self/io") }

    /// Returns the difference between two readings, or `nil` if a reading is missing.
    static func difference(from earlier: Double?, to later: Double?) -> Double? {
        later.flatMap { later in earlier.map { later - $0 } }
    }

    /// The number of wake-ups of each thread other than the caller's, by its identifier, or `nil` without `/proc`.
    ///
    /// A thread that wakes up sleeps again, and the kernel counts these switches.
    static var wakeUpsOfOthers: [String: Int]? {
        let tasks = "/proc/self/task"
        guard let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self"),
            let threads = try? FileManager.default.contentsOfDirectory(atPath: tasks)
        else { return nil }
        let identifier = own.split(separator: "/").last.map(String.init)
        return threads.filter { $0 != identifier }.reduce(into: [:]) { counts, thread in
            counts[thread] = Int(field("voluntary_ctxt_switches:", in: "\(tasks)/\(thread)/status") ?? 0)
        }
    }

    private static func status(_ name: String) -> Double? { field(name, in: "/proc/self/status") }

    private static func field(_ name: String, in path: String) -> Double? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
        return line?.split { $0 == "\t" || $0 == " " }.dropFirst().first.flatMap { Double($0) }
    }

    private static func resources(ofChildren: Bool) -> rusage {
        var usage = rusage()
        #if canImport(Darwin)
        unsafe getrusage(ofChildren ? RUSAGE_CHILDREN : RUSAGE_SELF, &usage)
        #else
        unsafe getrusage(ofChildren ? RUSAGE_CHILDREN.rawValue : RUSAGE_SELF.rawValue, &usage)
        #endif
        return usage
    }
}

/// A counter of the library that `Scripts/benchmark` loads into a process.
struct PreloadedCounter {
    /// The counted events of a counter, with the name of the library's function as raw value.
    enum Subject: String {
        /// The allocations of the calling thread.
        case allocations = "benchmark_allocations"
        /// The calls of `fsync` and `fdatasync` of all threads.
        case syncs = "benchmark_syncs"
    }

    private typealias Count = @convention(c) () -> UInt64

    /// The path of the library, or `nil` if this machine has none.
    static var library: String? {
        ProcessInfo.processInfo.environment["BENCHMARK_COUNTERS"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private let read: Count

    /// Finds a counter.
    ///
    /// Returns `nil` if the library is not loaded.
    init?(of subject: Subject) {
        guard let symbol = unsafe dlsym(dlopen(nil, RTLD_NOW), subject.rawValue) else { return nil }
        read = unsafe unsafeBitCast(symbol, to: Count.self)
    }

    /// The count so far.
    var count: UInt64 { read() }
}
