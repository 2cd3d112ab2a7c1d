import EventDeliveryTesting
import Testing

@testable import EventBuffer

@Suite(.timeLimit(.minutes(5))) struct CurrentIdentityTests {
    private let identity = CurrentIdentity(.stub(), now: MonotonicInstant(nanoseconds: 0))
    private let time = Timestamp(microseconds: 1_772_359_200_000_000)
    private let ids: EventIDGenerator = {
        var random = SeededGenerator(seed: 1)
        return EventIDGenerator(seed: &random)
    }()

    @Test func `a session ends if no event is tracked for longer than the timeout`() {
        identity.setSessionTimeout(.seconds(10))
        let first = identity.value.sessionID

        track(at: 10)
        track(at: 20)
        #expect(identity.value.sessionID == first)

        track(at: 30.000_000_001)
        #expect(identity.value.sessionID != first)
        #expect(identity.value.sessionStart == time)
    }

    @Test func `an event with an earlier clock reading does not change the time of the last event`() {
        identity.setSessionTimeout(.seconds(10))
        let first = identity.value.sessionID

        track(at: 9)
        track(at: 1)
        track(at: 19)

        #expect(identity.value.sessionID == first)
    }

    @Test func `the next event does not end a session that the app starts after a long pause`() {
        identity.setSessionTimeout(.seconds(10))

        identity.startSession(at: MonotonicInstant(nanoseconds: 60_000_000_000)) {
            $0.startSession(id: "mine", at: time)
        }
        track(at: 61)

        #expect(identity.value.sessionID == "mine")
    }

    @Test func `without a timeout, a session does not end`() {
        let version = identity.version

        track(at: 9_000_000_000)

        #expect(identity.version == version)
    }

    @Test func `concurrent threads start only one new session`() async {
        identity.setSessionTimeout(.seconds(10))
        let version = identity.version

        await withTaskGroup(of: Void.self) { group in
            for _ in 1...64 { group.addTask { track(at: 60) } }
        }

        #expect(identity.version == version + 1)
    }

    @Test func `each change has a new version, and frozen identities do not change`() {
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
