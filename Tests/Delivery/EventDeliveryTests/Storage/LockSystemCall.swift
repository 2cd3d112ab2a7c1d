#if os(Linux)
import Foundation
import Testing

/// A system call that locks files, which a child process can make fail.
enum LockSystemCall: String, Codable, CaseIterable {
    /// The lock of a whole file, which the engine holds on a directory.
    case flock
    /// The lock of a part of a file, which SQLite needs.
    case fcntl

    private typealias SystemCall =
        @convention(c) (CLong, CUnsignedInt, CUnsignedLong, UnsafeRawPointer?) -> CLong
    private typealias ProcessControl =
        @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt

    #if arch(x86_64)
    private static let numbers = (flock: UInt32(73), fcntl: UInt32(72), seccomp: CLong(317))
    #else
    private static let numbers = (flock: UInt32(32), fcntl: UInt32(25), seccomp: CLong(277))
    #endif

    /// Makes every later call of this process fail with `ENOLCK`, as a network file system does.
    ///
    /// It cannot be undone.
    func refuse() throws {
        // The kernel's instructions: load the number of the call, and of `fcntl` the command, and compare them. Then
        // return an errno or allow the call.
        let numbers = LockSystemCall.numbers
        let comparison =
            switch self {
            case .flock: [Instruction(code: 0x20, value: 0), Instruction(code: 0x15, ifFalse: 1, value: numbers.flock)]
            case .fcntl:
                [
                    Instruction(code: 0x20, value: 0),
                    Instruction(code: 0x15, ifFalse: 3, value: numbers.fcntl),
                    Instruction(code: 0x20, value: 24),
                    Instruction(code: 0x15, ifFalse: 1, value: UInt32(F_SETLK)),
                ]
            }
        let program =
            comparison + [
                Instruction(code: 0x06, value: 0x0005_0000 | UInt32(ENOLCK)),
                Instruction(code: 0x06, value: 0x7FFF_0000),
            ]
        let library = unsafe dlopen(nil, RTLD_NOW)
        let control = try unsafe #require(dlsym(library, "prctl"))
        let system = try unsafe #require(dlsym(library, "syscall"))
        let noNewPrivileges: CInt = 38
        let isPrepared = unsafe unsafeBitCast(control, to: ProcessControl.self)(noNewPrivileges, 1, 0, 0, 0) == 0
        let isInstalled = unsafe program.withUnsafeBufferPointer { instructions in
            var filter = unsafe Filter(count: UInt16(instructions.count), instructions: instructions.baseAddress)
            // The mode for filters, and the flag that applies the filter to all threads.
            return unsafe unsafeBitCast(system, to: SystemCall.self)(numbers.seccomp, 1, 1, &filter) == 0
        }
        try #require(isPrepared && isInstalled)
    }

    private struct Instruction {
        var code: UInt16
        var ifTrue: UInt8 = 0
        var ifFalse: UInt8 = 0
        var value: UInt32
    }

    @unsafe private struct Filter {
        var count: UInt16
        var instructions: UnsafePointer<Instruction>?
    }
}
#endif
