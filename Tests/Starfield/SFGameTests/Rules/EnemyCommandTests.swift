import Testing

@testable import SFGame

@Suite struct EnemyCommandTests {
    @Test func `enemies shoot more often on a higher level`() {
        let shots = [1, 4].map { level in
            var command = EnemyCommand(random: SplitMix64(seed: 3))
            return (0..<10_000).filter { _ in command.fires(at: level) }.count
        }

        #expect(shots[0] > 0)
        #expect(shots[1] > 2 * shots[0])
    }
}
