import Testing

@testable import TrackerDemo

@Suite struct TextTableTests {
    @Test func `columns are as wide as their widest cell and lines end without blanks`() {
        var table = TextTable([("name", .left), ("count", .right), ("note", .left)])

        table.add(["ä", "7", "first of all"])
        table.add(["longer", "1000"])

        let expected = """
            name    count  note
            ──────  ─────  ────────────
            ä           7  first of all
            longer   1000
            """
        #expect(table.text == expected)
    }
}
