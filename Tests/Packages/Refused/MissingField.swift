import CoreTracker

struct OrderPlaced: CoreTrackable {  // expected-note {{declared here}}
    let orderID: String
    let total: Double

    var services: [EventService] {
        [.firebase(FirebaseEvent(name: "purchase", parameters: ["value": .double(total)]))]
    }
}

func incomplete() -> [any CoreTrackable] {
    [
        OrderPlaced(total: 7.5),  // expected-error {{missing argument for parameter 'orderID' in call}}
        OrderPlaced(orderID: 7, total: 7.5),  // expected-error {{value of type 'Int' to expected argument}}
        OrderPlaced(orderID: "o-1", total: 7.5),
    ]
}

// expected-error@+2 {{does not conform to protocol 'CoreTrackable'}}
// expected-note@+1 {{add stubs for conformance}}
struct Unaddressed: CoreTrackable {
    let orderID: String
}
