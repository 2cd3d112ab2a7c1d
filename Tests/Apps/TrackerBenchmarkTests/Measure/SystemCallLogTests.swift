import Testing

@testable import TrackerBenchmark

@Suite struct SystemCallLogTests {
    @Test func `the marking thread's calls between the marks count, once each`() {
        let log = SystemCallLog(
            """
            7  write(1, "before", 6) = 6
            7  newfstatat(AT_FDCWD, "/benchmark-begins", 0x7f, 0) = -1 ENOENT
            7  futex(0x7f, FUTEX_WAKE_PRIVATE, 1 <unfinished ...>
            8  fsync(4) = 0
            7  <... futex resumed>) = 0
            7  --- SIGPROF {si_signo=SIGPROF} ---
            7  brk(NULL) = 0x7f
            7  newfstatat(AT_FDCWD, "/benchmark-ends", 0x7f, 0) = -1 ENOENT
            7  write(1, "after", 5) = 5
            """
        )

        #expect(log.namesBetweenMarks == ["futex", "brk"])
        #expect(log.countBetweenMarks == 2)
    }

    @Test func `a log without marks has no count`() {
        #expect(SystemCallLog("7  brk(NULL) = 0x7f").countBetweenMarks == nil)
    }
}
