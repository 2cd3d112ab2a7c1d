import Foundation

/// A scanner that finds event types in the sources of modules.
enum SourceScan {
    /// Returns the event types in a folder of modules, as `Module.Type`.
    ///
    /// The conformance may be on the type or on an extension. Modules for tests and tools are ignored, because no
    /// product sends their events.
    static func events(in modules: URL) throws -> [String] {
        let files = FileManager.default.enumerator(at: modules, includingPropertiesForKeys: nil)
        var events: Set<String> = []
        while let file = files?.nextObject() as? URL {
            let module = file.pathComponents[modules.pathComponents.count]
            guard file.pathExtension == "swift", !module.hasSuffix("Testing") else { continue }
            for event in try types(in: String(contentsOf: file, encoding: .utf8)) {
                events.insert("\(module).\(event)")
            }
        }
        return events.sorted()
    }

    /// Returns the types that a source declares to be events.
    static func types(in source: String) throws -> [String] {
        let code = source.replacing(#/\/\/[^\n]*|\/\*(?s:.*?)\*\//#, with: "")
        let declaration =
            #/
            \b(?:struct|class|enum|actor|extension)\s+(?<name>[\w.]+)(?:<[^>{]*>)?\s*:(?<parents>[^{]*)\{
            /#
        return code.matches(of: declaration).compactMap { match in
            match.parents.contains(#/\b(CoreTrackable|PlannedEvent)\b/#) ? String(match.name) : nil
        }
    }
}
