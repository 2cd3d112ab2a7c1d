// An app contains each of these functions once, but those of the standard library once for each type of element, with
// 1 to 3 kB each. They are slower, so they are for code that does not run for each event.

extension Sequence {
    /// Returns the elements in ascending order of a key.
    ///
    /// Elements with equal keys keep their order.
    ///
    /// - Parameter key: Returns the key of an element. It is called once for each element.
    /// - Returns: The elements.
    package func sorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
        let elements = Array(self)
        guard elements.count > 1 else { return elements }
        let keys = elements.map(key)
        return keys.indices.sorted { keys[$0] < keys[$1] }.map { elements[$0] }
    }

    /// Returns values by their keys.
    ///
    /// - Parameter entry: Returns the key and the value of an element. The first value with a key counts.
    /// - Returns: The values.
    package func keyed<Key: Hashable, Value>(_ entry: (Element) -> (Key, Value)) -> [Key: Value] {
        Dictionary(map(entry)) { first, _ in first }
    }

    /// Returns the numbers of elements with each key.
    ///
    /// - Parameter key: Returns the key of an element.
    /// - Returns: The numbers, all above 0.
    package func counts<Key: Hashable>(by key: (Element) -> Key) -> [Key: Int] {
        reduce(into: [:]) { $0[key($1), default: 0] += 1 }
    }
}
