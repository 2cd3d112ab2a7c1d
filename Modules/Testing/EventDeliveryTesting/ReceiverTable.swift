import CoreTrackerTesting
import Foundation
package import LoopbackCollector

/// A table on a module's page with a receiver's documented responses and the engine's reaction to each.
///
/// The page is the only place of the table. A test reads it, and ``check(of:sample:accepting:makeDestination:)`` sends
/// each row to a whole engine:
///
/// ```swift
/// let table = try ReceiverTable(under: "## Responses", of: "Modules/Services/S/S.docc/S.md")
/// try await table.check(of: .awesomeTracking) { ClickHouseDestination(product: "DL", configuration: try .at($0)) }
/// ```
///
/// The columns are status, header fields, body, effect and source. In the columns for fields and body, only code spans
/// count. In a code span, `\r`, `\n`, `\0` and `\|` stand for one character. The text beside a body's code span can
/// change the body: `cut` ends the connection before the last byte, `endless` never ends, and `after 5 MiB` puts spaces
/// before the text. The status `none` closes the connection without a response.
package struct ReceiverTable: Sendable {
    /// A documented response with its effect.
    package struct Row: Sendable {
        /// The number of the row's line on the page.
        package let line: Int
        /// The reaction of the receiver.
        package let action: CollectorAction
        /// The effect, in one of the forms of ``ReceiverTable/effects``.
        package let effect: String
        /// The source and its date.
        package let source: String
        /// The row as it is written.
        package let text: String
    }

    /// The path of the page in the package.
    package let page: String
    /// The rows, in order.
    package let rows: [Row]

    /// Reads the first table under a heading.
    ///
    /// - Parameters:
    ///   - heading: The whole line of the heading.
    ///   - page: The path of the page in the package.
    ///   - file: A file of the package.
    /// - Throws: `ContractViolation` if the page has no such table, or if a row is invalid.
    package init(under heading: String, of page: String, in file: String = #filePath) throws {
        var root = URL(filePath: file).deletingLastPathComponent()
        while root.path != "/", !FileManager.default.fileExists(atPath: root.appending(path: "Package.swift").path) {
            root.deleteLastPathComponent()
        }
        try self.init(under: heading, of: page, text: String(contentsOf: root.appending(path: page), encoding: .utf8))
    }

    /// Reads the first table under a heading of a text.
    ///
    /// - Parameters:
    ///   - heading: The whole line of the heading.
    ///   - page: The name of the page, for messages.
    ///   - text: The text of the page.
    /// - Throws: `ContractViolation` if the page has no such table, or if a row is invalid.
    package init(under heading: String, of page: String, text: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        let part = lines.drop { $0.element != heading }.dropFirst().prefix { !$0.element.hasPrefix("#") }
        let table = part.drop { !$0.element.hasPrefix("|") }.prefix { $0.element.hasPrefix("|") }
        self.page = page
        rows = try table.dropFirst(2).map { try Row($0.element, line: $0.offset + 1) }
        guard !rows.isEmpty else { throw ContractViolation("\(page): no table under \(heading)") }
    }
}

extension ReceiverTable.Row {
    /// Reads a row.
    ///
    /// - Parameters:
    ///   - text: The line on the page.
    ///   - line: The number of the line.
    /// - Throws: `ContractViolation` if a column is missing or not valid.
    init(_ text: Substring, line: Int) throws {
        let cells = ReceiverTable.Row.cells(of: text)
        guard cells.count == 5 else { throw ContractViolation("line \(line): not five columns") }
        let year = cells[4].split { !$0.isASCII || !$0.isNumber }.contains { $0.count == 4 && $0.hasPrefix("20") }
        guard year else { throw ContractViolation("line \(line): a source without a date") }
        guard let action = try ReceiverTable.Row.action(cells, line: line) else {
            throw ContractViolation("line \(line): not a status: \(cells[0])")
        }
        (self.line, self.action, effect, source) = (line, action, cells[3], cells[4])
        self.text = cells.prefix(3).joined(separator: " ")
    }

    /// Returns the cells of a line, which are separated by `|` without a backslash.
    private static func cells(of line: Substring) -> [String] {
        line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
            .dropFirst().dropLast()
            .map { String($0.replacing("\u{1}", with: "|").trimmingPrefix { $0 == " " }) }
            .map { String($0.reversed().trimmingPrefix { $0 == " " }.reversed()) }
    }

    private static func action(_ cells: [String], line: Int) throws -> CollectorAction? {
        if cells[0] == "none" { return .close }
        guard let status = Int(cells[0]), (100...599).contains(status) else { return nil }
        let headers = try codeSpans(in: cells[1]).map { field in
            let halves = field.split(separator: ":", maxSplits: 1)
            guard halves.count == 2 else {
                throw ContractViolation("line \(line): not a header field: \(field)")
            }
            return CollectorResponse.Header(String(halves[0]), String(halves[1].trimmingPrefix { $0 == " " }))
        }
        let words = cells[2].split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.flatMap { $0.element.split(separator: " ") }
        var body = codeSpans(in: cells[2]).flatMap { Array($0.utf8) }
        if let place = words.firstIndex(of: "after"), words.count > place + 2, let size = Int(words[place + 1]) {
            let unit = words[place + 2] == "MiB" ? 1 << 20 : 1 << 10
            body = [UInt8](repeating: 0x20, count: size * unit) + body
        }
        if words.contains("endless") { return .endlessBody(CollectorResponse(status, headers: headers, body: body)) }
        guard words.contains("cut") else { return .respond(CollectorResponse(status, headers: headers, body: body)) }
        let whole = CollectorResponse(status, headers: headers, body: body + [0x20])
        return .truncate(whole, bodyBytes: body.count)
    }

    /// Returns the texts of the code spans in a cell.
    private static func codeSpans(in cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }
            .map { span in
                [("\\r", "\r"), ("\\n", "\n"), ("\\0", "\0")].reduce(String(span.element)) {
                    $0.replacing($1.0, with: $1.1)
                }
            }
    }
}
