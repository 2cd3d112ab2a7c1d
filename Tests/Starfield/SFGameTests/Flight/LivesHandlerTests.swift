import Testing

@testable import SFGame

@Suite struct LivesHandlerTests {
    @Test func `lives decrease one by one, and never below zero`() {
        var lives = LivesHandler(2)

        let counts = (0..<3).map { _ in
            lives.lose()
            return lives.count
        }

        #expect(counts == [1, 0, 0])
    }

    @Test func `a negative number of lives counts as zero`() {
        #expect(LivesHandler(-1).count == 0)
    }
}
