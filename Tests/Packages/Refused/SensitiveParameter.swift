import CoreTracker

func leaks(_ mail: Sensitive<String>) -> [EventParameters] {
    [
        ["mail": mail],  // expected-error {{value of type 'Sensitive<String>'}}
        ["mail": .string(mail)],  // expected-error {{value of type 'Sensitive<String>'}}
        ["mail": .string(mail.value)],  // expected-error {{'value' is inaccessible}}
        .sensitive(mail, as: "mail"),  // expected-error {{missing argument for parameter 'policy' in call}}
        .sensitive(mail, as: "mail", policy: .drop),
    ]
}

func discloses(_ parameters: EventParameters) -> EventParameters {
    parameters.redacted(for: "analytics") { $0 }  // expected-error {{'redacted' is inaccessible}}
}
