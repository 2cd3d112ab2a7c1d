import CoreTracker
import CoreTrackerTesting
import Testing

/// The filter in the article on security: a service that removes personal data before it passes an event on.
struct PersonalDataFilter<Base: FirebaseService>: FirebaseService {
    let base: Base
    let keys: Set<ParameterKey>

    func track(_ event: FirebaseEvent) {
        var event = event
        event.parameters = filtered(event.parameters)
        event.defaults = filtered(event.defaults)
        base.track(event)
    }

    private func filtered(_ parameters: EventParameters) -> EventParameters {
        var rest = parameters
        for parameter in parameters where keys.contains(parameter.key) || parameter.value.holdsAddress {
            rest[parameter.key] = nil
        }
        return rest
    }
}

extension ParameterValue {
    /// Whether the value contains text that looks like an email address.
    fileprivate var holdsAddress: Bool {
        switch self {
        case .string(let text): text.contains(/[^@\s]+@[^@\s]+\.[^@\s]+/)
        case .array(let elements): elements.contains { $0.holdsAddress }
        case .object(let members): members.contains { $0.value.holdsAddress }
        case .int, .double, .bool: false
        }
    }
}

@Suite struct PersonalDataFilterTests {
    @Test func `a filtering service removes the given keys and values that look like an email address`() {
        let service = MockFirebaseService()
        let filter = PersonalDataFilter(base: service, keys: ["name"])

        filter.track(
            FirebaseEvent(
                "invited",
                ["name": "Ada", "note": "ask ada@example.com", "list": [["x": "a@b.co"]], "count": 1, "handle": "@ada"]
            )
        )

        service.expect([FirebaseEvent("invited", ["count": 1, "handle": "@ada"])])
    }
}
