/// A list of values, such as the `items` of a purchase.
///
/// Lists and objects can be nested up to ``EventParameters/maximumDepth`` levels. Values below that level are left out
/// when the list is created. No later traversal of the list, including its release, can therefore overflow a thread's
/// stack. An event with such parameters is rejected when it is tracked, and counted.
public struct ParameterList: Sendable {
    /// The elements behind one reference, which keeps ``ParameterValue`` as small as a string.
    private final class Storage: Sendable {
        let elements: [ParameterValue]
        let extent: Extent

        init(_ elements: [ParameterValue], _ extent: Extent) {
            self.elements = elements
            self.extent = extent
        }
    }

    private let storage: Storage

    /// Creates a list.
    ///
    /// - Parameter elements: The values in their order.
    public init(_ elements: some Sequence<ParameterValue>) {
        self.init(Array(elements))
    }

    init(_ elements: [ParameterValue]) {
        var extent = Extent(byteCount: elements.count &* MemoryLayout<ParameterValue>.stride)
        for element in elements { extent.record(element) }
        let kept = extent.marks.contains(.tooDeep) ? elements.filter { $0.mayBeNested } : elements
        storage = Storage(kept, extent)
    }

    /// The depth and size of the list, and the marks of the values in it.
    var extent: Extent { storage.extent }
}

extension ParameterList: RandomAccessCollection {
    public var startIndex: Int { storage.elements.startIndex }
    public var endIndex: Int { storage.elements.endIndex }
    public subscript(position: Int) -> ParameterValue { storage.elements[position] }
}

extension ParameterList: Hashable {
    public static func == (left: ParameterList, right: ParameterList) -> Bool {
        left.storage.elements == right.storage.elements
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        for element in self { hasher.combine(element) }
    }
}

extension ParameterList: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: ParameterValue...) {
        self.init(elements)
    }
}

extension ParameterList: CustomStringConvertible, CustomReflectable {
    public var description: String { ParameterText.text(.array(self)) }
    public var customMirror: Mirror {
        Mirror(self, unlabeledChildren: storage.elements, displayStyle: .collection)
    }
}

extension ParameterValue {
    /// Returns a list of values.
    ///
    /// - Parameter elements: The values in their order.
    /// - Returns: The list.
    public static func array(_ elements: [ParameterValue]) -> ParameterValue { .array(ParameterList(elements)) }
}
