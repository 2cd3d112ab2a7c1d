/// Parameters written as plain values, such as `["id": productID, "price": 35.79]`.
///
/// A value is text, a number, a Boolean, a list, an ``EventParameters`` or a type of your own that is
/// ``ParameterRepresentable``. A `nil` value is left out, and the event counts as adjusted (`value_nil`).
///
/// An event accepts this form beside ``EventParameters``. If a literal has both forms, such as
/// `["id": .string(productID), "count": count]`, it does not compile: write `.int(count)`, or `productID` alone.
public typealias PlainParameters = KeyValuePairs<String, (any ParameterRepresentable)?>

extension EventParameters {
    /// Creates parameters from plain values.
    ///
    /// - Parameter values: The names and values. If a name repeats, its last value takes the position of the first.
    public init(_ values: PlainParameters) {
        self.init(written: values.map { EventParameter(ParameterKey($0), $1?.parameterValue) })
    }

    /// Creates parameters from a dictionary, in the order of their names.
    ///
    /// A dictionary has no order of its own. The type of its keys accepts a `[String: String]`, and lets the compiler
    /// prefer ``PlainParameters`` for a literal, which keeps the literal's order. A key that is no text is named by its
    /// description.
    ///
    /// - Parameter values: The names and values, of one type. Map values of several types to ``ParameterValue`` first.
    public init<Value: ParameterRepresentable>(_ values: [AnyHashable: Value]) {
        let named = values.map { (ParameterKey("\($0.key)"), $0.value.parameterValue) }
        self.init(named.sorted(by: \.0.name))
    }
}

extension FirebaseEvent {
    /// Creates an event from plain values, such as `FirebaseEvent("view_item", ["item_id": productID])`.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `view_item`.
    ///   - values: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
    @_disfavoredOverload
    public init(_ name: String, _ values: PlainParameters, options: TrackOptions = TrackOptions()) {
        self.init(name: name, parameters: EventParameters(values), options: options)
    }

    /// Creates an event from plain values, such as `["item_id": productID]`.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `view_item`.
    ///   - parameters: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
    @_disfavoredOverload
    public init(name: String, parameters: PlainParameters, options: TrackOptions = TrackOptions()) {
        self.init(name: name, parameters: EventParameters(parameters), options: options)
    }

    /// Creates an event from a dictionary, such as a `[String: String]` of the app.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `view_item`.
    ///   - parameters: The event's own parameters, in the order of their names. They override every default parameter.
    ///   - options: The event's durability and priority.
    @_disfavoredOverload
    public init<Value: ParameterRepresentable>(
        name: String,
        parameters: [AnyHashable: Value],
        options: TrackOptions = TrackOptions()
    ) {
        self.init(name: name, parameters: EventParameters(parameters), options: options)
    }
}

extension AwesomeTrackingEvent {
    /// Creates an event from plain values, such as `AwesomeTrackingEvent("product_viewed", ["item_id": productID])`.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `product_viewed`.
    ///   - values: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
    @_disfavoredOverload
    public init(_ name: String, _ values: PlainParameters, options: TrackOptions = TrackOptions()) {
        self.init(name: name, parameters: EventParameters(values), options: options)
    }

    /// Creates an event from plain values, such as `["item_id": productID]`.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `product_viewed`.
    ///   - parameters: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
    @_disfavoredOverload
    public init(name: String, parameters: PlainParameters, options: TrackOptions = TrackOptions()) {
        self.init(name: name, parameters: EventParameters(parameters), options: options)
    }

    /// Creates an event from a dictionary, such as a `[String: String]` of the app.
    ///
    /// - Parameters:
    ///   - name: The event's name, such as `product_viewed`.
    ///   - parameters: The event's own parameters, in the order of their names. They override every default parameter.
    ///   - options: The event's durability and priority.
    @_disfavoredOverload
    public init<Value: ParameterRepresentable>(
        name: String,
        parameters: [AnyHashable: Value],
        options: TrackOptions = TrackOptions()
    ) {
        self.init(name: name, parameters: EventParameters(parameters), options: options)
    }
}

extension VendorEvent {
    /// Creates an event from plain values, such as `VendorEvent(.braze, "product_liked", ["item_id": productID])`.
    ///
    /// - Parameters:
    ///   - type: The type under which the app registers the vendor.
    ///   - name: The event's name, such as `Order placed`.
    ///   - values: The event's own parameters. They override every default parameter.
    ///   - options: The event's durability and priority.
    @_disfavoredOverload
    public init(
        _ type: TrackerType,
        _ name: String,
        _ values: PlainParameters,
        options: TrackOptions = TrackOptions()
    ) {
        self.init(type, name, EventParameters(values), options: options)
    }
}
