import CoreTracker

func wrongKeys(_ name: String) -> [EventParameters] {
    [
        [7: "seven"],  // expected-error {{type 'Int' to expected dictionary key type}}
        [name: "seven"],  // expected-error {{type 'String' to expected dictionary key type}}
        [ParameterKey(name): "seven"],
    ]
}
