import EventDeliveryTesting
import Testing

@testable import EventBuffer

@Suite struct CurrentIdentityTests {
    private let identity = CurrentIdentity(.stub(), now: MonotonicInstant(nanoseconds: 0))
    private let time = Timestamp(microseconds: 1_772_359_200_000_000)
    private let ids: EventIDGenerator = {
        var random = SeededGenerator(seed: 1)
        return EventIDGenerator(seed: &random)
    }()

    @Test func `a session ends when no event came for longer than the time-out`() {
        identity.setSessionTimeout(.seconds(10))
        let first = identity.value.sessionID

        track(at: 10)
        track(at: 20)
        #expect(identity.value.sessionID == first)

        track(at: 30.000_000_001)
        #expect(identity.value.sessionID != first)
        #expect(identity.value.sessionStart == time)
    }

    @Test func `an event whose clock was read earlier does not set the last one back`() {
        identity.setSessionTimeout(.seconds(10))
        let first = identity.value.sessionID

        track(at: 9)
        track(at: 1)
        track(at: 19)

        #expect(identity.value.sessionID == first)
    }

    @Test func `a session that the app begins after a long rest is not ended by the next event`() {
        identity.setSessionTimeout(.seconds(10))

        identity.startSession(at: MonotonicInstant(nanoseconds: 60_000_000_000)) {
            $0.startSession(id: "mine", at: time)
        }
        track(at: 61)

        #expect(identity.value.sessionID == "mine")
    }

    @Test func `without a time-out a session does not end`() {
        let version = identity.version

        track(at: 9_000_000_000)

        #expect(identity.version == version)
    }

    @Test func `threads that find the session over at once begin one new session`() async {
        identity.setSessionTimeout(.seconds(10))
        let version = identity.version

        await withTaskGroup(of: Void.self) { group in
            for _ in 1...64 { group.addTask { track(at: 60) } }
        }

        #expect(identity.version == version + 1)
    }

    @Test func `each change has a version of its own, and what is frozen does not change`() {
        let before = identity.frozen

        identity.change { $0.userID = "ali" }

        #expect(before.identity.identity.userID == nil)
        #expect(before.version != identity.version)
        #expect(identity.frozen.identity.identity.userID == "ali")
    }

    private func track(at seconds: Double) {
        let now = MonotonicInstant(nanoseconds: Int64(seconds * 1_000_000_000))
        identity.noteTrack(at: now, time: time, ids: ids)
    }
}
