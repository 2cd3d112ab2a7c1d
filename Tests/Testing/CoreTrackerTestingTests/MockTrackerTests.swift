import Analytics
import CoreTracker
import CoreTrackerTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct MockTrackerTests {
    private let tracker = MockTracker()

    @Test func `an event is visible before track returns, with its type and its services`() {
        tracker.track(BasketFilled(item: "7"))
        tracker.track(BasketEmptied())

        #expect(tracker.events.count == 2)
        #expect(tracker.events(of: BasketFilled.self).map(\.item) == ["7"])
        #expect(tracker.services == BasketFilled(item: "7").services + BasketEmptied().services)
    }

    @Test(arguments: CoreTrackerContract.checks)
    func `keeps the contract of a tracker`(check: CoreTrackerContract.Check) async throws {
        try await check.run(CoreTrackerContract.Subject(tracker) { [tracker] in tracker.services })
    }

    @Test func `exactly the tracked events in their order satisfy an expectation`() {
        tracker.track(BasketFilled(item: "7"))
        tracker.track(BasketEmptied())

        tracker.expect([BasketFilled(item: "7"), BasketEmptied()])
        tracker.expect(inAnyOrder: [BasketEmptied(), BasketFilled(item: "7")])
        tracker.expect(including: [BasketEmptied()])
        tracker.expectNothing(containing: "ali@example.com")
    }

    @Test func `every failed expectation is reported at its own line`() {
        tracker.track(BasketFilled(item: "ali@example.com"))
        tracker.send(event: Journey.Event(name: "opened", properties: ["user": "veli@example.com"]))
        let expectations: [(line: UInt, check: () -> Void)] = [
            (#line, { tracker.expect([BasketEmptied()]) }),
            (#line, { tracker.expect(inAnyOrder: [BasketEmptied()]) }),
            (#line, { tracker.expect(including: [BasketEmptied()]) }),
            (#line, { tracker.expectNothing() }),
            (#line, { tracker.expectNothing(containing: "ali@") }),
            (#line, { tracker.expectNothing(containing: "veli@") }),
        ]

        for (line, check) in expectations {
            let failures = ExpectationFailure.all(of: check)
            #expect(failures.map(\.line) == [line])
            #expect(failures.map(\.fileID) == [#fileID])
        }
    }

    @Test func `a sensitive value is personal data only if its policy passes it`() {
        let mail = Sensitive("ali@example.com")

        tracker.track(SignedUp(mail: mail, policy: .drop))
        tracker.track(SignedUp(mail: mail, policy: .hash))
        tracker.expectNothingPersonal()
        tracker.expectNothing(containing: "ali@example.com")

        tracker.track(SignedUp(mail: mail, policy: .pass(.marketing)))
        #expect(ExpectationFailure.all { tracker.expectNothingPersonal() }.count == 1)
        #expect(ExpectationFailure.all { tracker.expectNothing(containing: "ali@example.com") }.count == 1)
    }

    @Test func `the text of a sensitive value in a name, key or other value is personal data`() {
        for name in ["to ali@example.com", "plain"] {
            for note in ["mailed ali@example.com", "plain"] where name != note {
                tracker.reset()
                tracker.track(SignedUp(mail: Sensitive("ali@example.com"), policy: .hash, name: name, note: note))

                #expect(ExpectationFailure.all { tracker.expectNothingPersonal() }.count == 1)
            }
        }
    }

    @Test func `an element of a sensitive list or object in a name, key or value is personal data`() {
        for names in [["Ali", "Veli"], ["guests": [["name": "Ali"]]]] as [ParameterValue] {
            let guests = Sensitive(names)
            tracker.reset()
            tracker.track(Invited(guests: guests, note: "for you"))
            tracker.expectNothingPersonal()

            tracker.track(Invited(guests: guests, note: "for Ali"))
            #expect(ExpectationFailure.all { tracker.expectNothingPersonal() }.count == 1)
        }
    }

    @Test func `a sensitive value is found at any depth, and through objects that refer to each other`() {
        tracker.track(Nested(depth: 40, text: "plain"))
        tracker.expectNothingPersonal()

        tracker.track(Nested(depth: 40, text: "to Ali"))
        #expect(ExpectationFailure.all { tracker.expectNothingPersonal() }.count == 1)
    }

    @Test func `events of different sensitive values are different, and a failure does not show them`() {
        tracker.track(SignedUp(mail: Sensitive("ali@example.com"), policy: .hash))

        let failures = ExpectationFailure.all {
            tracker.expect([SignedUp(mail: Sensitive("veli@example.com"), policy: .hash)])
        }

        #expect(failures.count == 1)
        #expect(!failures[0].message.contains("ali@") && failures[0].message.contains("sensitive, hash"))
        tracker.expect([SignedUp(mail: Sensitive("ali@example.com"), policy: .hash)])
    }

    @Test func `nothing is tracked before the first event and after a reset`() {
        tracker.expectNothing()

        tracker.track(BasketEmptied())
        tracker.reset()

        tracker.expectNothing()
    }

    @Test func `direct calls of the tracker's services are recorded, too`() {
        tracker.firebaseService.track(FirebaseEvent(name: "stray"))
        tracker.awesomeTrackingService.track(AwesomeTrackingEvent(name: "stray"))
        tracker.vendorService.track(VendorEvent("braze", "stray"))

        #expect(tracker.events.count == 3)
        #expect(tracker.services.last == .vendor(VendorEvent("braze", "stray")))
    }

    @Test func `events of many threads are all kept`() async {
        await withTaskGroup { group in
            for thread in 0..<8 {
                group.addTask { [tracker] in
                    for number in 0..<250 { tracker.track(BasketFilled(item: "\(thread)/\(number)")) }
                }
            }
        }

        #expect(Set(tracker.events(of: BasketFilled.self).map(\.item)).count == 2000)
    }

    @Test(arguments: 0..<500)
    func `five hundred tests at once do not see each other's events`(number: Int) async {
        tracker.track(BasketFilled(item: "\(number)"))
        await Task.yield()
        tracker.track(BasketFilled(item: "\(number)", price: 1))

        tracker.expect([BasketFilled(item: "\(number)"), BasketFilled(item: "\(number)", price: 1)])
    }
}

@Suite struct MockTrackerStepsTests {
    private let tracker = MockTracker()
    private let step = Journey.Event(name: "basketOpened", properties: ["itemCount": 2])

    @Test func `a step is visible before the call returns, apart from events, until a reset`() {
        tracker.send(event: step)

        tracker.expect(steps: [step])
        tracker.expectNothing()
        tracker.reset()
        tracker.expect(steps: [])
    }

    @Test(arguments: [
        [], [Journey.Event(name: "basketOpened")], [Journey.Event(name: "x", properties: ["itemCount": 2])],
    ])
    func `a missing step, another property and another name fail the expectation`(steps: [Journey.Event]) {
        tracker.send(event: step)

        #expect(ExpectationFailure.all { tracker.expect(steps: steps) }.count == 1)
    }
}

/// A typed test event for Firebase and AwesomeTracking.
struct BasketFilled: CoreTrackable {
    let item: String
    var price = 35.79

    var services: [EventService] {
        [
            .firebase(FirebaseEvent(name: "add_to_cart", parameters: ["items": [["item_id": .string(item)]]])),
            .awesomeTracking(AwesomeTrackingEvent(name: "basket_filled", parameters: ["price": .double(price)])),
        ]
    }
}

/// A typed test event for a vendor.
struct BasketEmptied: CoreTrackable {
    var services: [EventService] { [.vendor(VendorEvent("braze", "basket_emptied"))] }
}

/// A typed test event with a list of personal data.
struct Invited: CoreTrackable {
    let guests: Sensitive<ParameterValue>
    let note: String

    var services: [EventService] {
        let parameters = EventParameters.sensitive(guests, as: "guests", policy: .drop)
        return [.firebase(FirebaseEvent("invited", parameters.merging(["note": .string(note)])))]
    }
}

/// A test event whose sensitive value is in a chain of objects.
private struct Nested: CoreTrackable {
    /// An object that refers to the next one, and the last one to the first one.
    private final class Node: @unchecked Sendable {
        var next: Node?
        var name: Sensitive<String>?
    }

    private let node: Node
    private let text: String

    init(depth: Int, text: String) {
        let nodes = (0..<depth).map { _ in Node() }
        for index in nodes.indices { nodes[index].next = nodes[(index + 1) % depth] }
        nodes[depth - 1].name = Sensitive("Ali")
        (node, self.text) = (nodes[0], text)
    }

    var services: [EventService] { [.firebase(FirebaseEvent("nested", ["text": .string(text)]))] }
}

/// A typed test event with personal data.
struct SignedUp: CoreTrackable {
    let mail: Sensitive<String>
    let policy: SensitivePolicy
    var name = "sign_up"
    var note = "by mail"

    var services: [EventService] {
        [
            .firebase(
                FirebaseEvent(
                    name: name,
                    parameters: .sensitive(mail, as: "mail", policy: policy).merging([
                        "notes": [["note": .string(note)]]
                    ])
                )
            )
        ]
    }
}
