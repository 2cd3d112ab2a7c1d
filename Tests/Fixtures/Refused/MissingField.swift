import CoreTracker

struct OrderPlaced: CoreTrackable {
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

struct Unaddressed: CoreTrackable {  // expected-error {{does not conform to protocol 'CoreTrackable'}}
    let orderID: String
}
