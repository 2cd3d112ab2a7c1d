import EventDeliverySimulation
import Testing

/// Several processes at once on one directory.
@Suite struct SharedWorldTests {
    @Test func `processes that share a directory keep what they promise each other`() {
        for seed in 0..<24 as Range<UInt64> {
            let outcome = SharedWorld.run(seed: seed)

            #expect(outcome.violations.isEmpty, "seed \(seed)")
        }
    }

    @Test func `the same seed takes the same course`() {
        let outcomes = [7, 7, 8].map { SharedWorld.run(seed: $0) }

        #expect(outcomes[0].hash == outcomes[1].hash)
        #expect(outcomes[0].hash != outcomes[2].hash)
    }
}
