extension Sequence {
    /// Returns the elements in ascending order of a key.
    ///
    /// Elements with equal keys keep their order. An app contains this function once, but the standard library's `sorted`
    /// once for each type of element, with 3 kB each.
    ///
    /// - Parameter key: Returns the key of an element. It is called once for each element.
    /// - Returns: The elements.
    package func sorted<Key: Comparable>(by key: (Element) -> Key) -> [Element] {
        let elements = Array(self)
        let keys = elements.map(key)
        return keys.indices.sorted { keys[$0] < keys[$1] }.map { elements[$0] }
    }
}
