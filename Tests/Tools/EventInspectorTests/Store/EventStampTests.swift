import Testing

@testable import EventInspector

@Suite struct EventStampTests {
    @Test func `a version 7 id contains milliseconds and a counter`() throws {
        let stamp = try #require(EventStamp(id: "01a1ffe5-6d8b-7005-84d9-b27893618583"))

        #expect(stamp.milliseconds == 0x01a1_ffe5_6d8b)
        #expect(stamp.ticks & 0xFFF == 5)
    }

    @Test(arguments: ["", "e1", "01a1ffe5-6d8b-4005-84d9-b27893618583", "01a1ffe56d8b700584d9b27893618583"])
    func `any other id has no stamp`(id: String) {
        #expect(EventStamp(id: id) == nil)
    }
}
