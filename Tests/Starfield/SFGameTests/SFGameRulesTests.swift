import SFGame
import Testing

@Suite struct SFGameRulesTests {
    @Test func `values out of range are clamped`() {
        let rules = SFGameRules(width: 0, height: .max, enemies: -1, bulletsPerShip: -2, playerLives: 0, steps: .min)

        #expect(rules.width == 10)
        #expect(rules.height == 1_000)
        #expect(rules.enemies == 1)
        #expect(rules.bulletsPerShip == 0)
        #expect(rules.playerLives == 1)
        #expect(rules.steps == 1)
    }
}
