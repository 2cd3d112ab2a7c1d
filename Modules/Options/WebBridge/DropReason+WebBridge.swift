public import EventTracking

/// The reasons for refusing a message of a guest, each counted on a lane of the guest's product.
extension DropReason {
    /// The guest's schema has no such event: its service, its name, a parameter or a value differs.
    public static let notInPlan = DropReason("not_in_plan")
    /// The message is not JSON, or an object in it repeats a key.
    public static let messageNotJSON = DropReason("message_not_json")
    /// The message has more than ``WebBridge/WebBridge/maximumDepth`` levels.
    public static let messageTooDeep = DropReason("message_too_deep")
    /// The message has more than ``WebBridge/WebBridge/maximumBytes`` bytes.
    public static let messageTooLarge = DropReason("message_too_large")
    /// The message is from an origin that the app does not allow, or from a frame inside the page.
    public static let messageOrigin = DropReason("message_origin")
    /// The guest has sent more messages than the bridge accepts in a second.
    public static let messageRate = DropReason("message_rate")
}
