import Testing

@testable import TrackerBenchmark

@Suite struct PercentilesTests {
    @Test(arguments: [(0.5, 500.0), (0.99, 990), (0.999, 999), (1, 1_000), (0, 1)])
    func `a percentile is the smallest value that the share does not exceed`(share: Double, value: Double) {
        var percentiles = Percentiles()
        for number in (1...1_000).shuffled() { percentiles.add(Int64(number)) }

        percentiles.sort()

        #expect(percentiles.value(at: share) == value)
    }

    @Test func `collections add up`() {
        var (all, more) = (Percentiles(), Percentiles())
        all.add(3)
        more.add(1)

        all.add(more)
        all.sort()

        #expect(all.values == [1, 3])
    }

    @Test func `without values every percentile is 0`() {
        #expect(Percentiles().value(at: 0.5) == 0)
    }
}

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

@Suite struct SectionSizesTests {
    @Test func `the sizes of all sections with code add up`() {
        let sizes = SectionSizes(
            """
            Client  :
            section        size     addr
            .text          1000     4096
            .rodata         300     8192
            Total          1300

            DLTracker.o  :
            section        size     addr
            .text             0        0
            .text.shared     20        0
            """
        )

        #expect(sizes.code == 1_020)
    }

    @Test func `an output without such a section has no size`() {
        #expect(SectionSizes("size: Client: file format not recognized").code == nil)
    }
}
