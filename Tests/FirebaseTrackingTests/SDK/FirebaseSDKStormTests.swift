import AdapterTesting
import CoreTracker
import FirebaseTracking
import Testing

@Suite struct FirebaseSDKStormTests {
    @Test func `events of many tasks are all given to the SDK or counted, and each task's keep their order`() async {
        let adapter = MockFirebaseSDKAdapter()
        let service = FirebaseSDKService(adapter: adapter, capacity: 10_000)

        await withTaskGroup { group in
            for task in 0..<16 {
                group.addTask {
                    for round in 0..<200 {
                        service.track(FirebaseEvent(name: "t\(task)", parameters: ["n": .int(round)]))
                    }
                }
            }
        }
        await service.close()

        let statistics = service.statistics
        #expect(statistics.logged + statistics.refused.values.reduce(0, +) == 16 * 200)
        for task in 0..<16 {
            let numbers = adapter.events.filter { $0.name == "t\(task)" }.map { $0.parameters["n"] }
            #expect(numbers == (0..<200).map { .int($0) })
        }
    }
}
