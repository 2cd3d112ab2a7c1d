public import CoreTracker
public import EventDelivery

/// A request with one example of a planned event, as a destination sends it.
public struct ExampleRequest: Sendable {
    /// The event's type, such as `DLOrderPlaced`.
    public let event: String
    /// The event's name at the service.
    public let name: String
    /// The number of the example among the event's examples, from 1.
    public let number: Int
    /// The request, as an app sends it.
    public let request: HTTPRequest

    /// Returns the requests for all examples of catalogs, in the order of the plan.
    ///
    /// Examples refused by the destination are omitted. ``PlanCheck`` reports them.
    ///
    /// - Parameters:
    ///   - catalogs: The catalogs. Catalogs of other products are ignored.
    ///   - destination: The destination that creates the requests.
    /// - Returns: The requests, one for each example and service call.
    public static func all(in catalogs: [EventCatalog], to destination: any Destination) -> [ExampleRequest] {
        catalogs.filter { $0.product == destination.lane.product }.flatMap { catalog in
            catalog.events.flatMap { event in
                let declared = DeclaredEvent(event, in: catalog)
                return declared.examples.enumerated().flatMap { index, calls in
                    calls.filter { $0.service == destination.lane.service }.compactMap { call in
                        ExampleRequest(of: call, by: declared.type, number: index + 1, to: destination)
                    }
                }
            }
        }
    }

    /// Encodes an example, or returns `nil` if the destination refuses it.
    init?(
        of call: DeclaredCall,
        by event: String,
        number: Int,
        to destination: any Destination,
        at time: Timestamp = SystemClock().wallTime()
    ) {
        let outgoing = call.outgoing(for: destination.purpose.name, at: time)
        var encoder = EventEncoder()
        do throws(EventEncodingError) {
            try destination.encode(outgoing, into: &encoder)
        } catch {
            return nil
        }
        self.event = event
        name = call.name
        self.number = number
        request = destination.request(
            for: OutgoingBatch(
                id: outgoing.id,
                key: destination.batchKey(of: outgoing),
                events: [OutgoingBatch.Event(id: outgoing.id, fragment: encoder.bytes[...])]
            )
        )
    }
}

/// The bytes of an example, as sent by a destination.
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
        let (now, fixed) = (forms(of: time), forms(of: DeclaredCall.fixedTime))
        return zip(now, fixed).reduce(String(decoding: bytes, as: UTF8.self)) { text, form in
            text.replacing(form.0, with: form.1)
        }
    }

    /// Returns a time in the formats of all vendors, the longest first.
    private static func forms(of time: Timestamp) -> [String] {
        [time.rfc3339, "\(time.microseconds)", "\(time.milliseconds)", "\(time.seconds)"]
    }
}
