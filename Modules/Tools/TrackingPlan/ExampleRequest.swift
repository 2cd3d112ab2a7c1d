public import CoreTracker
public import EventDelivery

/// A request with one example of a planned event, as a destination sends it.
public struct ExampleRequest: Sendable {
    /// The event's type, such as `DLOrderPlaced`.
    public let event: String
    /// The event's name at the service.
    public let name: String
    /// The number of the example among those of the event, from 1.
    public let number: Int
    /// The request, as an app sends it.
    public let request: HTTPRequest

    /// Returns the requests for all examples of catalogs, in the order of the plan.
    ///
    /// Examples that the destination refuses are omitted. ``PlanCheck`` reports them.
    ///
    /// - Parameters:
    ///   - catalogs: The catalogs. Those of other products are ignored.
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

    private init?(of call: DeclaredCall, by event: String, number: Int, to destination: any Destination) {
        let outgoing = call.outgoing(for: destination.purpose.name)
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
