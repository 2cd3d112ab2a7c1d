import CoreTracker

func untyped(_ value: Any, _ values: [String: Any]) -> [EventParameters] {
    [
        ["value": value],  // expected-error {{value of type 'Any'}}
        values,  // expected-error {{value of type '[String : Any]'}}
        ["value": .string("typed")],
    ]
}
