/// A converter of names to snake case.
enum SnakeCase {
    /// Returns a name in lower case with underscores between its words.
    ///
    /// Characters other than separators are kept.
    static func name(_ text: String) -> String {
        var name = ""
        var previous: Character?
        for character in text {
            if " -./:_".contains(character) {
                if !name.isEmpty, name.last != "_" { name.append("_") }
            } else {
                let startsWord =
                    character.isUppercase && (previous?.isLowercase ?? false || previous?.isNumber ?? false)
                if startsWord { name.append("_") }
                name += character.lowercased()
            }
            previous = character
        }
        return name.last == "_" ? String(name.dropLast()) : name
    }
}
