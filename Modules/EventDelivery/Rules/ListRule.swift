/// What a vendor demands of a list of flat objects, such as the `items` of a purchase.
public struct ListRule: Sendable, Hashable {
    /// The most elements; those beyond it are left out.
    public var maximumElements: Int
    /// The keys that the vendor defines itself.
    public var knownKeys: Set<String>
    /// The most keys of one element that the vendor does not define; those beyond it are left out.
    public var maximumOtherKeys: Int

    /// Creates a rule.
    public init(maximumElements: Int, knownKeys: Set<String>, maximumOtherKeys: Int) {
        self.maximumElements = maximumElements
        self.knownKeys = knownKeys
        self.maximumOtherKeys = maximumOtherKeys
    }
}
