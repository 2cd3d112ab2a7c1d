import EventBuffer
import Testing

@testable import EventOutbox

@Suite struct UserHashTests {
    @Test(arguments: ["", "k", "k\u{1F}", "k\u{1F}0123456789abcdef", "ü"], [UInt64?.none, 0, 1, .max])
    func `a key and a mark come back from their column`(key: String, mark: UInt64?) {
        let column = UserHash.column(key: key, user: mark.map(UserHash.init))

        let parts = UserHash.parts(of: column)

        // What an earlier version has stored has no mark; a key of its that ends like one is taken for it.
        guard mark != nil || !key.hasSuffix("0123456789abcdef") else { return }
        #expect(parts.key == key)
        #expect(parts.user == mark.map(UserHash.init))
    }
}
