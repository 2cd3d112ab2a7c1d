import Foundation

/// The files of a plan: a text and a page for people, views for ClickHouse, and a JSON Schema for each module.
struct PlanFiles: Hashable {
    /// A schema that cannot be read.
    struct SchemaError: Error, CustomStringConvertible {
        let description: String
    }

    /// The file extension of schemas.
    private static let schemaEnding = ".schema.json"

    /// The contents of the files, by name.
    let texts: [String: String]

    /// Creates the files of a plan and its page.
    init(of plan: Plan, page: PlanPage) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        var texts = ["tracking-plan.md": plan.markdown, "tracking-plan.html": page.html, "views.sql": plan.views]
        for module in plan.modules {
            let schema = ModuleSchema(module: module, entries: plan.entries.filter { $0.module == module })
            texts[module + PlanFiles.schemaEnding] = String(decoding: try encoder.encode(schema), as: UTF8.self) + "\n"
        }
        self.texts = texts
    }

    /// Reads the files of a plan from a folder, and the folder's other schemas.
    ///
    /// If the folder does not exist, there are no files.
    init(in folder: URL) throws {
        var texts: [String: String] = [:]
        if FileManager.default.fileExists(atPath: folder.path) {
            let pages: Set = ["tracking-plan.md", "tracking-plan.html", "views.sql"]
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for name in names where pages.contains(name) || name.hasSuffix(PlanFiles.schemaEnding) {
                texts[name] = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
            }
        }
        self.texts = texts
    }

    /// The plan, decoded from its schemas.
    ///
    /// A schema without `x-module` is of another tool. A file that is not JSON is an error, because it may be a damaged
    /// schema of the plan.
    var plan: Plan {
        get throws {
            var plan = Plan()
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) where name.hasSuffix(PlanFiles.schemaEnding) {
                do {
                    plan.entries += try PlanFiles.entries(of: text)
                } catch {
                    let isJSON = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
                    if isJSON, !text.contains("\"x-module\"") { continue }
                    throw SchemaError(description: "\(name) is not a schema of a plan: \(error)")
                }
            }
            return plan
        }
    }

    /// The part of the plan whose schemas can be read.
    var readablePlan: Plan {
        var plan = Plan()
        for (name, text) in texts where name.hasSuffix(PlanFiles.schemaEnding) {
            plan.entries += (try? PlanFiles.entries(of: text)) ?? []
        }
        return plan
    }

    /// Returns the names of the files that differ from the files of a folder, and of the plan's other schemas there.
    func differences(from other: PlanFiles) -> [String] {
        (texts.keys.filter { texts[$0] != other.texts[$0] } + staleSchemas(of: other)).sorted()
    }

    /// Writes the files to a folder.
    ///
    /// Files of an earlier plan are replaced or removed. Files of other tools stay.
    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try staleSchemas(of: PlanFiles(in: folder)) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        for (name, text) in texts {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
    }

    /// Returns the names of a folder's schemas that belong to an earlier plan.
    private func staleSchemas(of other: PlanFiles) -> [String] {
        other.texts.filter { name, text in
            texts[name] == nil && (try? PlanFiles.entries(of: text))?.isEmpty == false
        }.map(\.key)
    }

    private static func entries(of schema: String) throws -> [PlanEntry] {
        try JSONDecoder().decode(ModuleSchema.self, from: Data(schema.utf8)).entries
    }
}
