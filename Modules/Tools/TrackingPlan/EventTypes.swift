import CoreTracker
import Foundation

/// The event types that sources declare.
///
/// A type is an event if its declaration or an extension names `CoreTrackable`, or a protocol of the sources that
/// refines it. Types in modules for tests are ignored, because no app tracks them.
struct EventTypes {
    /// The types, as `Module.Type`, in alphabetical order.
    let names: [String]

    /// Finds the types in files.
    init(in files: [SourceFile]) {
        let files = files.filter { !$0.module.hasSuffix("Testing") && !$0.module.hasSuffix("Tests") }
        var protocols: Set = ["CoreTrackable", "PlannedEvent"]
        var known: Set<String> = []
        var found: Set<String> = []
        while protocols != known {  // until no file has another protocol
            known = protocols
            for file in files where known.contains(where: { file.text.contains($0) }) {
                for declaration in Declaration.all(in: file.text) where !declaration.parents.isDisjoint(with: known) {
                    if declaration.isProtocol {
                        protocols.insert(declaration.name)
                    } else {
                        found.insert("\(file.module).\(declaration.name)")
                    }
                }
            }
        }
        names = found.sorted()
    }

    /// Returns the types missing from all catalogs.
    func missing(from catalogs: [EventCatalog]) -> [String] {
        let listed = Set(catalogs.flatMap { catalog in catalog.events.map { "\(catalog.module).\($0)" } })
        return names.filter { name in
            let parts = name.split(separator: ".")  // a catalog has no outer type
            return !listed.contains("\(parts[0]).\(parts[parts.count - 1])")
        }
    }
}

/// A declaration or an extension with parents, such as protocols.
private struct Declaration {
    let isProtocol: Bool
    let name: String
    let parents: Set<String>

    /// Returns the declarations of a source.
    static func all(in source: String) -> [Declaration] {
        let code = source.replacing(#/"""(?s:.*?)"""|\/\/[^\n]*|\/\*(?s:.*?)\*\//#, with: "")
        let declaration =
            #/
            \b(?<kind>struct|class|enum|actor|extension|protocol)\s+(?<name>[\w.]+)(?:<[^>{]*>)?\s*:(?<parents>[^{]*)\{
            /#
        return code.matches(of: declaration).map { match in
            let parents = match.parents.prefix(
                upTo: match.parents.firstRange(of: #/\bwhere\b/#)?.lowerBound ?? match.parents.endIndex
            )
            return Declaration(
                isProtocol: match.kind == "protocol",
                name: String(match.name),
                parents: Set(parents.matches(of: #/\w+/#).map { String($0.output) })
            )
        }
    }
}
