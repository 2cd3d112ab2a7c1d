/// A list of values, such as the `items` of a purchase; an array of values is one, and it is read like an array.
///
/// Lists and objects lie in each other down to ``EventParameters/maximumDepth``. What would lie deeper is left out when
/// the list is made, so that no later walk through it, its release included, can exhaust a thread's stack; an event
/// with such parameters is refused where it is tracked, and counted.
public struct ParameterList: Sendable {
    /// What a list is made of, behind one reference, so that a value stays as small as a text.
    private final class Storage: Sendable {
        let elements: [ParameterValue]
        let extent: Extent

        init(_ elements: [ParameterValue], _ extent: Extent) {
            self.elements = elements
            self.extent = extent
        }
    }

    private let storage: Storage

    /// Creates a list of values in their order.
    public init(_ elements: some Sequence<ParameterValue>) {
        self.init(Array(elements))
    }

    init(_ elements: [ParameterValue]) {
        var extent = Extent(byteCount: elements.count &* MemoryLayout<ParameterValue>.stride)
        for element in elements { extent.note(element) }
        let kept = extent.marks.contains(.tooDeep) ? elements.filter { $0.mayBeNested } : elements
        storage = Storage(kept, extent)
    }

    /// How deep and how large the list is, and what holds for anything in it.
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
        hasher.combine(storage.elements)
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
    /// A list of values, in their order.
    public static func array(_ elements: [ParameterValue]) -> ParameterValue { .array(ParameterList(elements)) }
}
