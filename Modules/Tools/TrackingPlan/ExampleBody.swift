import CoreTracker
import EventDelivery

/// The bytes that a destination sends for an example.
///
/// The id, time and identity are fixed.
struct ExampleBody: Hashable {
    /// The event's type.
    let event: String
    let product: String
    let service: String
    let name: String
    let text: String

    /// Returns the distinct bodies of all examples, in the order of the plan.
    static func all(in catalogs: [EventCatalog], at services: [CheckedService]) -> [ExampleBody] {
        var bodies: [ExampleBody] = []
        for catalog in catalogs {
            for event in catalog.events {
                let declared = DeclaredEvent(event, in: catalog)
                for call in declared.examples.joined() {
                    let service = services.first { $0.accepts(call.service, of: declared.product) }
                    guard let body = service.flatMap({ ExampleBody(of: call, in: declared, to: $0.destination) }),
                        !bodies.contains(body)
                    else { continue }
                    bodies.append(body)
                }
            }
        }
        return bodies
    }

    /// Returns whether this is an example of an entry of the plan.
    func isExample(of entry: PlanEntry) -> Bool {
        (event, product, service, name) == (entry.event, entry.product, entry.service, entry.name)
    }

    private init?(of call: DeclaredCall, in event: DeclaredEvent, to destination: any Destination) {
        let outgoing = call.outgoing(for: destination.purpose.name)
        var encoder = EventEncoder()
        do throws(EventEncodingError) {
            try destination.encode(outgoing, into: &encoder)
        } catch {
            return nil
        }
        self.event = event.type
        product = event.product
        service = call.service
        name = call.name
        text = ExampleBody.text(encoder.bytes, trackedAt: outgoing.time)
    }

    /// Returns the body with a fixed time.
    ///
    /// Examples are tracked now, because destinations check the age of events.
    private static func text(_ bytes: [UInt8], trackedAt time: Timestamp) -> String {
        let (now, fixed) = (forms(of: time), forms(of: Timestamp(microseconds: 1_772_359_200_000_000)))
        return zip(now, fixed).reduce(String(decoding: bytes, as: UTF8.self)) { text, form in
            text.replacing(form.0, with: form.1)
        }
    }

    /// Returns a time in the formats of all vendors, the longest first.
    private static func forms(of time: Timestamp) -> [String] {
        [time.rfc3339, "\(time.microseconds)", "\(time.milliseconds)", "\(time.seconds)"]
    }
}
