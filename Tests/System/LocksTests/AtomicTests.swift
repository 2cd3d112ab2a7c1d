import Locks
import Testing

@Suite(.timeLimit(.minutes(5))) struct AtomicTests {
    @Test
    func `additions of many threads are all counted`() async {
        let count = Atomic(0)
        let exchanged = Atomic<Int64>(0)

        await inThreads(8) { _ in
            for _ in 0..<10_000 {
                count.wrappingAdd(1, ordering: .relaxed)
                var before = exchanged.load(ordering: .relaxed)
                while true {
                    let change = exchanged.weakCompareExchange(
                        expected: before,
                        desired: before + 2,
                        ordering: .acquiringAndReleasing
                    )
                    if change.exchanged { break }
                    before = change.original
                }
            }
        }

        #expect(count.load(ordering: .sequentiallyConsistent) == 80_000)
        #expect(exchanged.load(ordering: .acquiring) == 160_000)
    }

    @Test
    func `writes before a releasing store are visible after an acquiring load`() async {
        let rounds = 2_000
        let payload = Atomic(0)
        let published = Atomic(0)
        let torn = Atomic(0)

        await inThreads(2) { thread in
            for round in 1...rounds {
                if thread == 0 {
                    payload.store(round, ordering: .relaxed)
                    published.store(round, ordering: .releasing)
                } else {
                    let seen = published.load(ordering: .acquiring)
                    if payload.load(ordering: .relaxed) < seen { torn.wrappingAdd(1, ordering: .relaxed) }
                }
            }
        }

        #expect(torn.load(ordering: .relaxed) == 0)
    }

    @Test
    func `an exchange happens only if the value is the expected one`() {
        let word = Atomic<UInt8>(1)

        let first = word.compareExchange(expected: 1, desired: 7, ordering: .sequentiallyConsistent)
        let second = word.compareExchange(expected: 1, desired: 9, ordering: .releasing)

        #expect(first.exchanged && first.original == 1)
        #expect(!second.exchanged && second.original == 7)
        #expect(word.exchange(8, ordering: .acquiring) == 7)
        #expect(word.load(ordering: .relaxed) == 8)
    }

    @Test(arguments: [Int32.min, -1, 0, 1, .max])
    func `negative numbers and numbers of fewer bits keep their value and order`(number: Int32) {
        let word = Atomic(number)

        let sum = word.wrappingAdd(-1, ordering: .relaxed)

        #expect(sum.oldValue == number && sum.newValue == number &- 1)
        #expect(word.load(ordering: .relaxed) == number &- 1)
        #expect(word.wrappingSubtract(-1, ordering: .relaxed).newValue == number)
        word.max(-5, ordering: .relaxed)
        #expect(word.load(ordering: .relaxed) == max(number, -5))
        word.min(3, ordering: .relaxed)
        #expect(word.load(ordering: .relaxed) == min(max(number, -5), 3))
    }

    @Test
    func `a number of few bits that wraps around is equal to its value`() {
        let word = Atomic<UInt8>(1)

        let zero = word.wrappingSubtract(1, ordering: .relaxed)
        let isZero = word.compareExchange(expected: 0, desired: 255, ordering: .relaxed).exchanged
        let sum = word.wrappingAdd(2, ordering: .relaxed)

        #expect(zero.oldValue == 1 && zero.newValue == 0)
        #expect(isZero)
        #expect(sum.oldValue == 255 && sum.newValue == 1)
        #expect(word.compareExchange(expected: 1, desired: 2, ordering: .relaxed).exchanged)
    }

    @Test
    func `only one thread exchanges a Boolean`() async {
        let isFree = Atomic(true)
        let winners = Atomic(0)

        await inThreads(8) { _ in
            if isFree.exchange(false, ordering: .acquiringAndReleasing) { winners.wrappingAdd(1, ordering: .relaxed) }
        }

        #expect(winners.load(ordering: .relaxed) == 1)
        #expect(isFree.load(ordering: .acquiring) == false)
    }
}

@Suite(.timeLimit(.minutes(5))) struct AtomicLazyReferenceTests {
    private final class Number: Sendable {
        let value: Int

        init(_ value: Int) {
            self.value = value
        }
    }

    @Test
    func `all threads get the first stored object`() async {
        let reference = AtomicLazyReference<Number>()
        let found = Mutex(Set<Int>())

        await inThreads(8) { thread in
            let number = reference.load() ?? reference.storeIfNil(Number(thread))
            found.withLock { _ = $0.insert(number.value) }
        }

        #expect(found.withLock { $0.count } == 1)
        #expect(reference.load()?.value == found.withLock { $0.first })
    }

    @Test
    func `the object is released with the reference, and a late one at once`() {
        weak var first: Number?
        weak var second: Number?

        do {
            let reference = AtomicLazyReference<Number>()
            #expect(reference.load() == nil)
            first = reference.storeIfNil(Number(1))
            let late = Number(2)
            second = late
            #expect(reference.storeIfNil(late).value == 1)
            #expect(first != nil)
        }

        #expect(first == nil)
        #expect(second == nil)
    }
}
