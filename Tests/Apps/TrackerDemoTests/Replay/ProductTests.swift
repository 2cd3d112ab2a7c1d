import Testing

@testable import TrackerDemo

@Suite struct ProductTests {
    @Test(arguments: [
        ("72d76fde-8bb3-4e00-8c23-a032dfed738c", Product.dolapLite),
        ("9333dfbd-b87a-4708-9857-6336556b0fcc", Product.dolapLite),
        ("566511c2-e2e3-422b-b695-cf8e6e792ca8", Product.dolapLite),
        ("", Product.dolapLite),
    ]) func `a session belongs to the same product in every run and release`(_ session: String, _ product: Product) {
        #expect(Product.of(session: session) == product)
    }

    @Test func `sessions are distributed evenly`() {
        let count = (0..<10_000).count { Product.of(session: "session-\($0)") == .dolapLite }

        #expect((4_700...5_300).contains(count))
    }
}
