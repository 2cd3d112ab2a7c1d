#if os(Linux)
import Foundation
import Testing

@testable import EventDeliveryScenes

/// The system call that locks files, which a child process can make fail.
enum LockSystemCall {
    private typealias SystemCall =
        @convention(c) (CLong, CUnsignedInt, CUnsignedLong, UnsafeRawPointer?) -> CLong
    private typealias ProcessControl =
        @convention(c) (CInt, CUnsignedLong, CUnsignedLong, CUnsignedLong, CUnsignedLong) -> CInt

    #if arch(x86_64)
    private static let numbers = (flock: UInt32(73), seccomp: CLong(317))
    #else
    private static let numbers = (flock: UInt32(32), seccomp: CLong(277))
    #endif

    /// Makes every later `flock` of this process fail with `ENOLCK`, as a network file system does.
    ///
    /// It cannot be undone.
    static func refuse() throws {
        // The kernel's instructions: load the number of the call, compare it, then return an errno or allow the call.
        let program: [Instruction] = [
            Instruction(code: 0x20, value: 0),
            Instruction(code: 0x15, ifFalse: 1, value: numbers.flock),
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
