import CoreTracker

extension ParameterKey {
    static let basketID: ParameterKey = "basket_id"
}

func misspelt() -> [EventParameters] {
    [
        [.basketId: 7],  // expected-error {{type 'ParameterKey' has no member 'basketId'}}
        [.basketID: 7],
    ]
}
