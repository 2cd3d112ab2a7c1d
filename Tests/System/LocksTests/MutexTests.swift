import Foundation
import Locks
import Testing

@Suite(.timeLimit(.minutes(5))) struct MutexTests {
    @Test
    func `threads take turns, and no change is lost`() async {
        let counts = Mutex([String: Int]())

        await inThreads(8) { thread in
            for number in 0..<1_000 { counts.withLock { $0["\(thread % 2).\(number % 10)", default: 0] += 1 } }
        }

        #expect(counts.withLock { $0.count } == 20)
        #expect(counts.withLock { $0.values.reduce(0, +) } == 8_000)
    }

    @Test
    func `a try returns at once if the lock is held`() {
        let value = Mutex(1)

        let whileHeld: Int?? = value.withLock { _ in
            let answer = Mutex<Int?>(nil)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                answer.withLock { $0 = value.withLockIfAvailable { $0 } }
                done.signal()
            }
            done.wait()
            return answer.withLock { $0 }
        }

        #expect(whileHeld == .some(nil))
        #expect(value.withLockIfAvailable { $0 } == 1)
    }

    @Test
    func `an error leaves the mutex free, and keeps its type`() {
        struct Refused: Error {}
        let value = Mutex(1)

        #expect(throws: Refused.self) {
            try value.withLock { (value) throws(Refused) in
                value = 2
                throw Refused()
            }
        }

        #expect(value.withLockIfAvailable { $0 } == 2)
    }

    @Test
    func `its value is released with it`() {
        final class Held: Sendable {}
        weak var held: Held?

        do {
            let value = Mutex(Held())
            held = value.withLock { $0 }
            #expect(held != nil)
            value.withLock { _ in }
        }

        #expect(held == nil)
    }
}

/// Runs a closure on several threads at the same time, and returns after all have ended.
func inThreads(_ count: Int, _ body: @escaping @Sendable (_ thread: Int) -> Void) async {
    await withTaskGroup { group in
        for thread in 0..<count {
            group.addTask {
                await withCheckedContinuation { continuation in
                    Thread.detachNewThread {
                        body(thread)
                        continuation.resume()
                    }
                }
            }
        }
    }
}
