import Foundation

/// The files of a plan: a text and a page for people, views for ClickHouse, and a JSON Schema for each module.
struct PlanFiles: Hashable {
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

    /// Reads the files of a plan from a folder.
    ///
    /// If the folder does not exist, there are no files.
    init(in folder: URL) throws {
        var texts: [String: String] = [:]
        if FileManager.default.fileExists(atPath: folder.path) {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            for name in names where [".md", ".html", ".sql", PlanFiles.schemaEnding].contains(where: name.hasSuffix) {
                texts[name] = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            }
        }
        self.texts = texts
    }

    /// The plan, decoded from its schemas.
    var plan: Plan {
        get throws {
            var plan = Plan()
            for (name, text) in texts.sorted(by: { $0.key < $1.key }) where name.hasSuffix(PlanFiles.schemaEnding) {
                plan.entries += try JSONDecoder().decode(ModuleSchema.self, from: Data(text.utf8)).entries
            }
            return plan
        }
    }

    /// Returns the names of the files that differ from other files.
    func differences(from other: PlanFiles) -> [String] {
        Set(texts.keys).union(other.texts.keys).filter { texts[$0] != other.texts[$0] }.sorted()
    }

    /// Writes the files to a folder.
    ///
    /// Files of an earlier plan are replaced or removed.
    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in try PlanFiles(in: folder).texts.keys where texts[name] == nil {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        for (name, text) in texts {
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
    }
}
