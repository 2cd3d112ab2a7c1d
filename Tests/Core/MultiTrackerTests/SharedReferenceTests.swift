import Testing

@testable import MultiTracker

@Suite struct SharedReferenceTests {
    @Test func `every read after a store returns the new value`() {
        let reference = SharedReference("old")

        reference.store("new")

        for _ in 0..<64 { #expect(reference.load() == "new") }
    }

    @Test func `readers on many threads see only values that were stored`() {
        let reference = SharedReference([0, 0])

        Threads.run(16) { index in
            for round in 1...1_000 {
                if index == 0 { reference.store([round, round]) }
                let value = reference.load()
                if value[0] != value[1] { Issue.record("a torn value") }
            }
        }

        #expect(reference.load() == [1_000, 1_000])
    }
}
