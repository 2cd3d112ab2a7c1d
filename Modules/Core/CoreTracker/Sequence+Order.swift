extension Sequence {
    /// Returns the elements in ascending order of a key. Elements with equal keys keep their order.
    ///
    /// An app contains one copy of it, and one of the standard library's `sorted` for each type of element.
    ///
    /// - Parameter key: Returns the key of an element. It is called once for each element.
    package func sorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
        let elements = Array(self)
        let keys = elements.map(key)
        return keys.indices.sorted { keys[$0] < keys[$1] }.map { elements[$0] }
    }
}
