/// What a test may ask of a sensitive value without seeing it.
package protocol SensitiveText {
    /// Whether the value, written as text, is a part of a text.
    func occurs(in text: String) -> Bool
}
