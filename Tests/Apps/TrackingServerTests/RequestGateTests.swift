import Locks
import Testing

@testable import TrackingServer

@Suite(.timeLimit(.minutes(1))) struct RequestGateTests {
    @Test func `a closed gate admits no request, and closes after the last one has ended`() async {
        let gate = RequestGate()
        let hasEnded = Atomic(false)
        #expect(gate.enter() && gate.enter())

        let closing = Task {
            await gate.close()
            return hasEnded.load(ordering: .acquiring)
        }
        while gate.enter() {
            gate.leave()
            await Task.yield()
        }
        gate.leave()
        hasEnded.store(true, ordering: .releasing)
        gate.leave()

        #expect(await closing.value)
    }

    @Test func `a gate without requests closes at once`() async {
        let gate = RequestGate()

        await gate.close()

        #expect(!gate.enter())
    }
}
