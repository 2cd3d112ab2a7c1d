import CoreTracker

extension EventParameter {
    static let basketName = Key<String>("basket_name")
    static let basketCount = Key<Int>("basket_count")
}

func mistyped(_ mail: Sensitive<String>, _ value: Any, _ name: String) -> [EventParameters] {
    [
        [.basketCuont(7)],  // expected-error {{type 'EventParameter' has no member 'basketCuont'}}
        [.basketCount("7")],  // expected-error {{value of type 'String' to expected argument type 'Int'}}
        [.basketName(value)],  // expected-error {{value of type 'Any' to expected argument type 'String'}}
        [.basketName(mail)],  // expected-error {{value of type 'Sensitive<String>'}}
        [.basketName(name), .basketCount(7), .basketName(nil)],
    ]
}
