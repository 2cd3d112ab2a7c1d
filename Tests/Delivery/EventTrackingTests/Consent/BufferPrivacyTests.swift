import CoreTracker
import EventDelivery
import EventDeliveryTesting
import EventOutbox
import Locks
import Testing

@testable import EventTracking

/// Tests of decisions and erasures while events are buffered.
@Suite(.timeLimit(.minutes(5))) struct BufferPrivacyTests {
    private let clock = TestClock()

    @Test func `each call gets the next number, and each event has that of the last call`() {
        let buffer = makeBuffer()
        buffer.open()

        buffer.lane.track("0", parameters: [:])
        buffer.decide(.granted, about: .analytics)
        buffer.lane.track("1", parameters: [:])
        let (count, erasure) = buffer.erase(UserHash(userID: "ali"))
        buffer.lane.track("2", parameters: [:])
        let denial = buffer.decide(.denied, about: .marketing)
        buffer.lane.track("3", parameters: [:])

        #expect(erasure == PrivacyDecision(number: 2, kind: .erasure(UserHash(userID: "ali"))))
        #expect(denial == PrivacyDecision(number: 3, kind: .consent(.marketing, .denied)))
        #expect(count == 0)
        #expect(buffer.lastNumber == 3 && buffer.lastErasure == 2)
        #expect(buffer.unappliedDecisions.map(\.number) == [1, 2, 3])
        #expect(buffer.takeAll().map { "\($0.number)" } == ["0", "1", "2", "3"])
    }

    @Test func `a denial removes the events of its purpose only, and refuses later ones until a grant`() {
        let buffer = makeBuffer()
        let other = LaneID(product: "T", service: "other")
        buffer.dropDenied(
            [],
            serving: [
                ServedLane(LineDestination().lane, purpose: .analytics), ServedLane(other, purpose: .marketing),
            ]
        )
        buffer.accept([.analytics: .granted, .marketing: .granted], fallback: .unknown, through: 0, isStored: true)
        for lane in [buffer.lane, buffer.lane(other)] { lane.track("early", parameters: [:]) }

        buffer.decide(.denied, about: .analytics)
        for lane in [buffer.lane, buffer.lane(other)] { lane.track("denied", parameters: [:]) }
        buffer.decide(.granted, about: .analytics)
        buffer.lane.track("late", parameters: [:])

        #expect(buffer.takeAll().map(\.name) == ["early", "denied", "late"])
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.consentDenied: 2], [:]])
        #expect(buffer.consents == [.analytics: .granted, .marketing: .granted])
    }

    @Test func `an erasure removes and counts the events of its user, or of all users`() {
        let buffer = makeBuffer()
        buffer.open()
        for user in ["ali", "veli", "ali", nil] {
            buffer.identity.change { $0.setUser(user.flatMap { KnownUser($0) }) }
            buffer.lane.track(user ?? "nobody", parameters: [:])
        }

        let one = buffer.erase(UserHash(userID: "ali"))
        let left = buffer.ledgers.map(\.unstored)
        let all = buffer.erase(nil)

        #expect(one.count == 2 && left == [2])
        #expect(all.count == 2)
        #expect(buffer.unstoredCount == 0)
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.erased: 4]])
    }

    @Test func `an erasure of all users forgets the events that have left the buffer, too`() {
        let buffer = makeBuffer()
        buffer.open()
        buffer.lane.track("seen", parameters: [:])
        #expect(buffer.takeAll().count == 1)
        #expect(buffer.recentEvents { _ in true }.map(\.name) == ["seen"])

        _ = buffer.erase(nil)

        #expect(buffer.recentEvents { _ in true }.isEmpty)
    }

    @Test func `a group knows whether it follows a decision that is not applied`() {
        let buffer = makeBuffer()
        buffer.prepare()
        buffer.open()
        let before = buffer.takeGroup(all: true, now: clock.monotonicTime())
        buffer.decide(.granted, about: .analytics)
        let behind = buffer.takeGroup(all: true, now: clock.monotonicTime())
        buffer.accept([.analytics: .granted], fallback: .unknown, through: 1, isStored: false)
        let after = buffer.takeGroup(all: true, now: clock.monotonicTime())

        #expect([before, behind, after].map(\.followsDecision) == [false, true, false])
    }

    private func makeBuffer(capacity: Int = 10) -> EventBuffer {
        EventBuffer(clock: clock, eventTime: nil, capacity: capacity)
    }
}

/// Tests of the opening of a directory, after events and decisions of this process.
extension BufferPrivacyTests {
    @Test func `events before a stored denial's grant are refused, and those after the grant are kept`() {
        let buffer = makeBuffer()
        buffer.lane.track("before", parameters: [:])
        buffer.decide(.granted, about: .analytics)
        buffer.lane.track("after", parameters: [:])

        // This process has seen the stored denial, so its grant is later.
        buffer.prepare()
        buffer.open([.analytics: .granted], through: 1, denied: [.analytics])

        #expect(buffer.takeAll().map(\.name) == ["after"])
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.consentDenied: 1]])
    }

    @Test func `a denial by another process replaces a grant, and refuses all events of this process`() {
        let buffer = makeBuffer()
        buffer.lane.track("before", parameters: [:])
        buffer.decide(.granted, about: .analytics)
        buffer.decide(.granted, about: .marketing)
        buffer.lane.track("after", parameters: [:])

        buffer.prepare(unseen: [.analytics])
        #expect(buffer.unappliedDecisions == [PrivacyDecision(number: 2, kind: .consent(.marketing, .granted))])
        buffer.open([.analytics: .denied, .marketing: .granted], through: 2, denied: [.analytics])

        #expect(buffer.takeAll().isEmpty)
        #expect(buffer.lane.isConsentDenied)
        #expect(buffer.consents == [.analytics: .denied, .marketing: .granted])
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.consentDenied: 2]])
    }

    @Test func `a denial of this process stays, although a stored one is later`() {
        let buffer = makeBuffer()
        buffer.decide(.denied, about: .analytics)

        buffer.prepare(unseen: [.analytics])

        #expect(buffer.unappliedDecisions == [PrivacyDecision(number: 1, kind: .consent(.analytics, .denied))])
    }

    @Test(arguments: [Consent.granted, .unknown])
    func `without a stored denial, events of before the opening are kept`(stored: Consent) {
        let buffer = makeBuffer()
        buffer.lane.track("before", parameters: [:])
        buffer.decide(.granted, about: .marketing)
        buffer.lane.track("after", parameters: [:])

        buffer.prepare()
        buffer.open([.analytics: stored, .marketing: .granted], through: 1)

        #expect(buffer.takeAll().map(\.name) == ["before", "after"])
    }

    @Test func `a denial before the opening covers earlier events, and a later grant none of them`() {
        let buffer = makeBuffer()
        buffer.lane.track("before", parameters: [:])
        buffer.decide(.denied, about: .analytics)
        buffer.decide(.granted, about: .analytics)
        buffer.lane.track("after", parameters: [:])

        buffer.prepare()
        buffer.open([.analytics: .granted], through: 2)

        #expect(buffer.takeAll().map(\.name) == ["after"])
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.consentDenied: 1]])
    }

    @Test func `calls that are applied, but not in the file, are applied again after the directory was released`() {
        let buffer = makeBuffer()
        buffer.open()
        buffer.decide(.denied, about: .analytics)
        buffer.accept([.analytics: .denied], fallback: .unknown, through: 1, isStored: false)
        #expect(buffer.unappliedDecisions.isEmpty)

        buffer.awaitDirectory()

        #expect(buffer.unappliedDecisions.map(\.kind) == [.consent(.analytics, .denied)])
        buffer.accept([.analytics: .denied], fallback: .unknown, through: 1, isStored: false)
        buffer.forgetStoredDecisions()
        buffer.awaitDirectory()
        #expect(buffer.unappliedDecisions.isEmpty)
    }

    @Test func `while this process waits for its directory, the configuration's denials refuse events`() {
        let buffer = makeBuffer()

        buffer.awaitDirectory(
            serving: [ServedLane(LineDestination().lane, purpose: .analytics)],
            denied: [.analytics]
        )
        buffer.lane.track("denied", parameters: [:])
        buffer.decide(.granted, about: .analytics)
        buffer.lane.track("granted", parameters: [:])

        #expect(buffer.takeAll().map(\.name) == ["granted"])
        #expect(buffer.ledgers.map(\.ledger.dropped) == [[.consentDenied: 1]])
    }

}

/// Tests of decisions while other threads track.
extension BufferPrivacyTests {
    @Test
    func `a denial is in effect before its number is visible, a grant only afterwards`()
        async
    {
        let buffer = makeBuffer()
        buffer.open()
        let consent = buffer.withLanes { $0.lanes[0].consent }
        let isDone = Atomic(false)
        let lateDenials = Atomic(0)
        let earlyGrants = Atomic(0)

        await Threads.run(3) { thread in
            guard thread > 0 else {
                // Denials have odd numbers, grants have even numbers.
                for _ in 1...20_000 {
                    buffer.decide(.denied, about: .analytics)
                    buffer.decide(.granted, about: .analytics)
                }
                return isDone.store(true, ordering: .releasing)
            }
            while !isDone.load(ordering: .acquiring) {
                let number = buffer.lastNumber
                let lastDenial = number % 2 == 1 ? number : max(1, number) - 1
                if consent.denial < lastDenial { lateDenials.wrappingAdd(1, ordering: .relaxed) }
                let denial = consent.denial
                if denial > 0, !consent.isDenied, buffer.lastNumber <= denial {
                    earlyGrants.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }

        #expect(lateDenials.load(ordering: .relaxed) == 0)
        #expect(earlyGrants.load(ordering: .relaxed) == 0)
    }

    @Test func `while several threads track, no event with a number of at least that of the denial is accepted`()
        async
    {
        let buffer = makeBuffer(capacity: 1_000_000)
        buffer.open()
        let lane = buffer.lane
        var accepted = 0

        for _ in 1...40 {
            let grant = buffer.decide(.granted, about: .analytics)
            let before = buffer.ledgers[0].ledger.accepted
            let denial = Mutex<PrivacyDecision?>(nil)
            let taken = Mutex<[BufferedEvent]>([])
            await Threads.run(4) { thread in
                switch thread {
                case 0:
                    while buffer.ledgers[0].ledger.accepted < before + 100 {}
                    denial.withLock { $0 = buffer.decide(.denied, about: .analytics) }
                case 1:
                    while denial.withLock({ $0 }) == nil { taken.withLock { $0 += buffer.takeAll() } }
                default: for _ in 1...500 { lane.track("storm", parameters: [:]) }
                }
            }

            let left = buffer.takeAll()
            let last = denial.withLock { $0 }?.number ?? 0
            let numbers = taken.withLock { $0 }.map(\.number)
            #expect(left.isEmpty)
            #expect(last == grant.number + 1)
            #expect(numbers.allSatisfy { $0 == grant.number })
            accepted += numbers.count
        }

        let ledger = buffer.ledgers[0].ledger
        #expect(ledger.accepted == 40 * 1_000)
        // On a busy machine, all events may precede their denials.
        #expect(ledger.dropped[.consentDenied, default: 0] == 40 * 1_000 - accepted)
        #expect(ledger.dropped.count <= 1)
    }

    @Test func `once a denial has returned, no event of concurrent threads is buffered until the next grant`() async {
        let buffer = makeBuffer(capacity: 1_000_000)
        buffer.open()
        let lane = buffer.lane
        let isDone = Atomic(false)
        let left = Mutex<[Int]>([])

        await Threads.run(4) { thread in
            guard thread == 0 else {
                while !isDone.load(ordering: .acquiring) { lane.track("storm", parameters: [:]) }
                return
            }
            for _ in 1...1_000 {
                while buffer.unstoredCount < 10 {}
                buffer.decide(.denied, about: .analytics)
                left.withLock { $0.append(buffer.unstoredCount) }
                buffer.decide(.granted, about: .analytics)
            }
            buffer.decide(.denied, about: .analytics)
            isDone.store(true, ordering: .releasing)
        }

        #expect(left.withLock { $0 } == Array(repeating: 0, count: 1_000))
        #expect(buffer.takeAll().isEmpty)
        let ledger = buffer.ledgers[0].ledger
        #expect(ledger.dropped == [.consentDenied: ledger.accepted])
    }
}
