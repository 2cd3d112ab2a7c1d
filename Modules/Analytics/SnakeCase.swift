/// Writes names in snake case.
enum SnakeCase {
    /// A name in lower case, its words joined by underscores; characters that are no separators stay as they are.
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
