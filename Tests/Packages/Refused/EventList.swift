import CoreTracker

struct ListOpened: CoreTrackable {
    var services: [EventService] {
        [FirebaseEvent("view_list"), AwesomeTrackingEvent("opened")]  // expected-error {{each event as}}
    }
}

struct ListClosed: CoreTrackable {
    var services: [EventService] {
        FirebaseEvent("close_list")
        AwesomeTrackingEvent("list_closed")
    }
}

struct ListShared: CoreTrackable {
    var services: [EventService] {
        return [FirebaseEvent("share")]  // expected-error {{to expected element type 'EventService'}}
    }
}
