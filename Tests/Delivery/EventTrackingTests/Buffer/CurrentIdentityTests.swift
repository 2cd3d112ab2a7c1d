import EventDeliveryTesting
import Testing

@testable import EventTracking

@Suite(.timeLimit(.minutes(5))) struct CurrentIdentityTests {
    private let identity = CurrentIdentity(.stub(), now: MonotonicInstant(nanoseconds: 0))
    private let time = Timestamp(microseconds: 1_772_359_200_000_000)
    private let ids: EventIDGenerator = {
        var random = SeededGenerator(seed: 1)
        return EventIDGenerator(seed: &random)
    }()

    @Test func `a session ends if no event is tracked for longer than the timeout`() {
        use(timeout: .seconds(10))
        let first = identity.value.sessionID

        track(at: 10)
        track(at: 20)
        #expect(identity.value.sessionID == first)

        track(at: 30.000_000_001)
        #expect(identity.value.sessionID != first)
        #expect(identity.value.sessionStart == time)
    }

    @Test func `an event with an earlier clock reading does not change the time of the last event`() {
        use(timeout: .seconds(10))
        let first = identity.value.sessionID

        track(at: 9)
        track(at: 1)
        track(at: 19)

        #expect(identity.value.sessionID == first)
    }

    @Test func `the next event does not end a session that the app starts after a long pause`() {
        use(timeout: .seconds(10))

        identity.startSession(id: "mine", at: MonotonicInstant(nanoseconds: 60_000_000_000), time: time, ids: ids)
        track(at: 61)

        #expect(identity.value.sessionID == "mine")
    }

    @Test func `without a timeout, a session does not end`() {
        let version = identity.version

        track(at: 9_000_000_000)

        #expect(identity.version == version)
    }

    @Test func `concurrent threads start only one new session`() async {
        use(timeout: .seconds(10))
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

    // MARK: Visits

    /// A step of a process: an event or a signal of the app, at a number of minutes.
    enum Step: Sendable {
        case event(Double)
        case active(Double)
        case background(Double)
        case foreground(Double)
        case appStartsSession(Double)
    }

    /// Steps after an app has begun to report its life cycle, and the sessions of their events, numbered from 1 in the order of their start; 0 is none.
    static let visits: [([Step], [Int])] = [
        // Without a visit
        ([.event(0), .event(30), .event(60.1)], [0, 0, 0]),
        // A visit starts or extends a session.
        ([.active(0), .event(29), .background(30), .active(59), .event(59)], [1, 1]),
        ([.active(0), .event(1), .background(1), .active(32), .event(32)], [1, 2]),
        ([.active(0), .event(0), .background(29), .active(58), .event(58)], [1, 1]),
        // An event of the launch has no session yet.
        ([.event(0), .active(1), .event(1)], [0, 1]),
        // Events in the background extend nothing, and belong to no session once it has ended.
        (
            [.active(0), .event(0), .background(5), .event(20), .event(35), .event(35.1), .active(40), .event(40)],
            [1, 1, 1, 0, 2]
        ),
        // A launch in the background has no session. The visit has its own.
        ([.background(0), .event(0), .active(10), .event(10)], [0, 1]),
        ([.event(0), .background(0), .event(1), .active(10), .event(10)], [0, 0, 1]),
        // Doubled signals and signals without a pair
        (
            [.active(0), .active(0), .event(0), .background(1), .background(2), .event(3), .active(4), .event(4)],
            [1, 1, 1]
        ),
        ([.background(0), .foreground(10), .event(10), .active(10), .event(10)], [1, 1]),
        // A session of the app continues in the background until its timeout.
        ([.background(0), .appStartsSession(0), .event(30), .event(31)], [1, 0]),
        // The maximum duration, during a visit and in the background
        (
            (0...50).flatMap { [.active(Double($0) * 29), .event(Double($0) * 29)] },
            Array(repeating: 1, count: 50) + [2]
        ),
        ([.active(0), .event(0), .background(1_440), .event(1_440.1), .active(1_441), .event(1_441)], [1, 0, 2]),
    ]

    @Test(arguments: visits)
    func `sessions follow visits`(steps: [Step], expected: [Int]) {
        use(timeout: .seconds(30 * 60), maximum: .seconds(24 * 60 * 60))
        identity.awaitVisit()
        var (known, found): ([String], [Int]) = ([], [])

        for step in steps {
            switch step {
            case .active(let minute): identity.beginVisit(at: at(minute), time: time, ids: ids)
            case .background(let minute): identity.enterBackground(at: at(minute))
            case .foreground(let minute): identity.enterForeground(at: at(minute), time: time, ids: ids)
            case .appStartsSession(let minute): identity.startSession(at: at(minute), time: time, ids: ids)
            case .event(let minute):
                identity.noteTrack(at: at(minute), time: time, ids: ids)
                let session = identity.value.sessionID
                if !session.isEmpty, !known.contains(session) { known.append(session) }
                found.append(session.isEmpty ? 0 : (known.firstIndex(of: session) ?? 0) + 1)
            }
        }

        #expect(found == expected)
    }

    @Test func `without a timeout, the first visit starts the only session`() {
        use(timeout: nil)
        identity.awaitVisit()

        identity.enterBackground(at: at(0))
        track(at: 1)
        #expect(identity.value.sessionID.isEmpty)

        identity.beginVisit(at: at(90), time: time, ids: ids)
        let first = identity.value.sessionID
        track(at: 100_000)
        #expect(!first.isEmpty && identity.value.sessionID == first)
    }

    @Test func `an event that is not stored yet gets the session of the first visit`() {
        identity.awaitVisit()
        let early = identity.value
        #expect(identity.completed(early, deviceID: "d").sessionID.isEmpty)

        identity.beginVisit(at: at(10), time: time.after(600), ids: ids)

        let completed = identity.completed(early, deviceID: "d")
        #expect(completed.sessionID == identity.value.sessionID && !completed.sessionID.isEmpty)
        #expect(completed.sessionStart == time.after(600))
        #expect(completed.sessionNumber == identity.value.sessionNumber)
    }

    @Test func `a visit before the opening continues the stored session`() {
        identity.awaitVisit()
        let early = identity.value
        identity.beginVisit(at: at(0.1), time: time.after(6), ids: ids)
        let visit = identity.value

        use(timeout: .seconds(1_800), continuing: stored(pause: 60, age: 600), at: 12)

        #expect(identity.value.sessionID == "stored")
        for earlier in [early.unopened, visit.unopened] {
            #expect(identity.completed(earlier, deviceID: "d").sessionID == "stored")
        }
    }

    @Test func `a visit continues the session of earlier events with its number and its start`() {
        use(timeout: .seconds(1_800))
        track(at: 1)
        let earlier = identity.value
        identity.awaitVisit()

        identity.beginVisit(at: at(10), time: time.after(600), ids: ids)

        #expect(identity.value == earlier)
        #expect(!earlier.sessionID.isEmpty)
    }

    @Test func `a session that the app has started stays when an app begins to report its life cycle`() {
        identity.startSession(id: "mine", at: at(0), time: time, ids: ids)

        identity.awaitVisit()

        #expect(identity.value.sessionID == "mine")
    }

    @Test func `sessions that start in one second have different numbers`() {
        let numbers = (1...3).map { _ in
            identity.startSession(at: at(0), time: time, ids: ids)
            return identity.value.sessionNumber
        }

        #expect(numbers == [1, 2, 3].map { time.seconds + $0 })
    }

    // MARK: Restarts

    /// Seconds from the last activity to the start of the process, seconds from the start of the session, and whether
    /// it continues.
    @Test(arguments: [
        (0.0, 0.0, true), (1_799, 1_799, true), (1_800, 1_800, true), (1_800.001, 1_801, false),
        // The wall clock was set back.
        (-60, -60, true), (-1_801, -1_801, false),
        // The maximum duration
        (60, 86_400, true), (60, 86_400.001, false),
    ])
    func `the stored session continues if it has not ended when the process begins`(
        pause: Double,
        age: Double,
        continues: Bool
    ) {
        let first = identity.value

        use(timeout: .seconds(1_800), maximum: .seconds(86_400), continuing: stored(pause: pause, age: age))
        track(at: 0)

        #expect(identity.value.sessionID == (continues ? "stored" : first.sessionID))
        #expect(identity.completed(first, deviceID: "d").sessionID == first.sessionID)
        let early = Identity(deviceID: "", sessionID: first.sessionID, sessionStart: time)
        #expect(identity.completed(early, deviceID: "d").sessionID == identity.value.sessionID)
    }

    @Test func `an event before the opening extends the stored session, and the opening alone does not`() {
        let late = CurrentIdentity(.stub(), now: at(0))
        track(at: 60)

        use(timeout: .seconds(1_800), continuing: stored(pause: 1_700, age: 1_700), at: 120)
        late.resume(stored(pause: 1_700, age: 1_700), by: rules(.seconds(1_800)), at: at(2), time.after(120))
        track(at: 1_860)
        late.noteTrack(at: at(4), time: time, ids: ids)

        #expect(identity.value.sessionID == "stored")
        #expect(late.value.sessionID != "stored")
    }

    @Test func `a stored session of another process is not continued when the storage resumes`() {
        use(timeout: .seconds(1_800))
        identity.resume(nil, by: rules(.seconds(1_800)), at: at(0), time)
        track(at: 1)
        let own = identity.value.sessionID

        identity.resume(stored(pause: 1, age: 1), by: rules(.seconds(1_800)), at: at(0.1), time.after(6))

        #expect(identity.value.sessionID == own)
    }

    @Test func `a session that the app has started before the opening is not replaced`() {
        identity.startSession(id: "mine", at: at(0), time: time, ids: ids)

        use(timeout: .seconds(1_800), continuing: stored(pause: 1, age: 1))

        #expect(identity.value.sessionID == "mine")
        #expect(identity.value.sessionNumber == time.seconds + 1)
    }

    @Test func `a launch in the background continues the stored session until its timeout`() {
        identity.awaitVisit()
        identity.enterBackground(at: at(0))
        use(timeout: .seconds(1_800), continuing: stored(pause: 1_200, age: 1_200))

        track(at: 600)
        let within = identity.value.sessionID
        track(at: 601)

        #expect(within == "stored")
        #expect(identity.value.sessionID == "")
    }

    @Test(arguments: [Int64.min, -1, 0, 1, .max], [Int64.min, 0, .max])
    func `extreme times of a stored session change nothing or continue it`(last: Int64, start: Int64) {
        let stored = StoredSession(
            id: "stored",
            start: Timestamp(microseconds: start),
            number: 1 << 53,
            last: Timestamp(microseconds: last)
        )

        use(timeout: .seconds(Int64.max), maximum: nil, continuing: stored)
        track(at: 1)
        identity.startSession(at: at(1), time: Timestamp(microseconds: .max), ids: ids)

        #expect(identity.value.sessionNumber > 1 << 53)
    }

    @Test func `a session is stored when it starts, and its last activity rarely`() throws {
        use(timeout: .seconds(1_800))
        #expect(storable(after: nil, at: 0) == nil)

        track(at: 1)
        let first = try #require(storable(after: nil, at: 2))
        track(at: 60)
        let second = storable(after: first, at: 60)
        let exact = storable(after: first, at: 60, isExact: true)
        track(at: 61.5)
        let third = storable(after: first, at: 62)

        #expect(first.last == time.after(1))
        #expect(second == first)
        #expect(exact?.last == time.after(60))
        #expect(third?.last == time.after(61.5))
    }

    @Test func `no session is stored if only the app starts sessions, or if an event belongs to none`() {
        track(at: 1)
        #expect(storable(after: nil, at: 2) != nil)

        use(timeout: nil)
        #expect(storable(after: nil, at: 2) == nil)

        let unvisited = CurrentIdentity(.stub(), now: at(0))
        unvisited.use(rules(.seconds(1_800)))
        unvisited.awaitVisit()
        #expect(unvisited.storable(after: stored(pause: 0, age: 0), at: at(0), time, isExact: false) == nil)
    }

    private func use(
        timeout: Duration?,
        maximum: Duration? = nil,
        continuing stored: StoredSession? = nil,
        at seconds: Double = 0
    ) {
        let rules = SessionRules(timeout: timeout, maximum: maximum)
        if let stored { identity.resume(stored, by: rules, at: at(seconds / 60), time.after(seconds)) }
        identity.use(rules)
    }

    private func rules(_ timeout: Duration) -> SessionRules { SessionRules(timeout: timeout, maximum: nil) }

    private func stored(pause: Double, age: Double) -> StoredSession {
        StoredSession(id: "stored", start: time.after(-age), number: 1, last: time.after(-pause))
    }

    private func storable(after stored: StoredSession?, at seconds: Double, isExact: Bool = false) -> StoredSession? {
        identity.storable(after: stored, at: at(seconds / 60), time.after(seconds), isExact: isExact)
    }

    private func at(_ minutes: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64((minutes * 60_000_000_000).rounded()))
    }

    private func track(at seconds: Double) {
        let now = MonotonicInstant(nanoseconds: Int64(seconds * 1_000_000_000))
        identity.noteTrack(at: now, time: time, ids: ids)
    }
}

extension Identity {
    /// The identity of an event before the opening.
    fileprivate var unopened: Identity {
        var copy = self
        copy.deviceID = ""
        return copy
    }
}

extension Timestamp {
    fileprivate func after(_ seconds: Double) -> Timestamp {
        Timestamp(microseconds: microseconds + Int64((seconds * 1_000_000).rounded()))
    }
}
