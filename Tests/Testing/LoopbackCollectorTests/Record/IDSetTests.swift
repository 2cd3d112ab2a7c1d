import Testing

@testable import LoopbackCollector

@Suite struct IDSetTests {
    @Test func `ids are distinguished exactly, in any format`() {
        var ids = IDSet()
        let all = [
            "0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6a", "0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6b",
            "0198C7E2-5F0A-7C31-9A55-1F2E3D4C5B6A", "0198c7e2-5f0a-7c31-9a55-1f2e3d4c5b6g",
            "0198c7e25f0a-7c31-9a55--1f2e3d4c5b6a", "e-1", "",
        ]

        let first = all.map { ids.insert($0) }
        let second = all.map { ids.insert($0) }

        #expect(!first.contains(false))
        #expect(!second.contains(true))
        #expect(ids.count == all.count)
        #expect(all.allSatisfy(ids.contains))
        #expect(!ids.contains("e-2"))
    }

    @Test func `a bound keeps the latest ids and forgets the oldest`() {
        var ids = IDSet(bound: 10)
        for number in 0..<35 { _ = ids.insert("\(number)") }

        let known = (0..<35).filter { ids.contains("\($0)") }
        let answers = [ids.insert("25"), ids.insert("3")]

        #expect(known == Array(20..<35))
        #expect(answers == [false, true])
    }
}
