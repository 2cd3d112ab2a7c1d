import CoreTracker

func plain(_ id: String, _ count: Int, _ mail: Sensitive<String>) -> [AwesomeTrackingEvent] {
    [
        AwesomeTrackingEvent("seen", ["id": .string(id), "count": count]),  // expected-error {{value of type 'Int'}}
        AwesomeTrackingEvent("seen", ["mail": mail]),  // expected-error {{value of type 'Sensitive<String>'}}
        AwesomeTrackingEvent("seen", ["id": id, "count": count]),
    ]
}
