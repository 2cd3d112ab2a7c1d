import CPages
import CoreTracker
import EventDelivery
import Foundation

/// The files of the contract: the types and the examples in each language, and the vectors of the examples.
///
/// A vector is the request that the real destination of a service makes from one example, with a fixed id, time,
/// identity and session.
struct ContractFiles {
    /// The first line of each generated file, by which an outdated one is found.
    static let header = "// Written by Scripts/tracking-plan. Change the plan, not this file."

    /// The contents of the files, by path.
    let texts: [String: String]

    /// Creates the files for events and their services.
    ///
    /// - Throws: ``Contract/Failure`` if the plan has a name or a type without correct code.
    init(of plan: Plan, _ events: [DeclaredEvent], at services: [CheckedService]) throws {
        let contracts = try Contract.all(of: plan, at: services)
        let examples = ContractExample.all(of: events, contracts, at: services)
        var texts = [
            "kotlin/Wire.kt": unsafe String(cString: cpages_contract_kotlin()),
            "kotlin/Examples.kt": KotlinPrinter.source(of: examples),
            "typescript/wire.ts": unsafe String(cString: cpages_contract_typescript()),
            "typescript/examples.ts": TypeScriptPrinter.source(of: examples, contracts),
            "vectors.json": try ContractFiles.vectors(of: examples),
        ]
        for contract in contracts {
            texts["kotlin/\(contract.name).kt"] = KotlinPrinter.source(of: contract)
            texts["typescript/\(contract.module).ts"] = TypeScriptPrinter.source(of: contract)
        }
        self.texts = texts
    }

    /// Writes the files to a folder, and removes those that an earlier plan had.
    func write(to folder: URL) throws {
        for language in ["kotlin", "typescript"] {
            let sources = folder.appending(path: language)
            try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
            for name in try FileManager.default.contentsOfDirectory(atPath: sources.path)
            where texts["\(language)/\(name)"] == nil {
                let file = sources.appending(path: name)
                guard let text = try? String(contentsOf: file, encoding: .utf8) else { continue }
                if text.hasPrefix(ContractFiles.header) { try FileManager.default.removeItem(at: file) }
            }
        }
        for (path, text) in texts { try Data(text.utf8).write(to: folder.appending(path: path)) }
    }

    private static func vectors(of examples: [ContractExample]) throws -> String {
        let (identity, id) = (DeclaredCall.identity, DeclaredCall.id)
        let envelope = Vectors.Envelope(
            eventId: "\(id)",
            timeMicros: DeclaredCall.fixedTime.microseconds,
            sequence: 1,
            deviceId: identity.deviceID,
            userId: identity.userID ?? "",
            sessionId: identity.sessionID,
            sessionNumber: identity.sessionNumber
        )
        let vectors = examples.map { example in
            Vectors.Vector(
                product: example.contract.product,
                service: example.contract.service,
                event: example.request.event,
                name: example.request.name,
                example: example.request.number,
                url: "\(example.request.request.url)",
                body: String(decoding: example.request.request.body, as: UTF8.self)
            )
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let json = try encoder.encode(Vectors(envelope: envelope, vectors: vectors))
        return String(decoding: json, as: UTF8.self) + "\n"
    }
}

/// The document with the vectors.
private struct Vectors: Encodable {
    struct Envelope: Encodable {
        let eventId: String
        let timeMicros: Int64
        let sequence: Int64
        let deviceId: String
        let userId: String
        let sessionId: String
        let sessionNumber: Int64
    }

    struct Vector: Encodable {
        let product: String
        let service: String
        let event: String
        let name: String
        let example: Int
        let url: String
        let body: String
    }

    let envelope: Envelope
    let vectors: [Vector]
}

/// An example of a contract's event, with its request.
struct ContractExample {
    let contract: Contract
    let event: Contract.Event
    /// The parameters as the service gets them.
    let parameters: EventParameters
    let request: ExampleRequest

    /// Returns the examples of all events, in the order of the plan.
    static func all(
        of events: [DeclaredEvent],
        _ contracts: [Contract],
        at services: [CheckedService]
    ) -> [ContractExample] {
        events.flatMap { declared in
            declared.examples.enumerated().flatMap { index, calls in
                calls.compactMap { call -> ContractExample? in
                    let contract = contracts.first { ($0.product, $0.service) == (declared.product, call.service) }
                    guard let contract, let event = contract.events.first(where: { $0.entry.name == call.name }),
                        let destination = services.first(where: { $0.accepts(call.service, of: declared.product) })?
                            .destination,
                        let request = ExampleRequest(
                            of: call,
                            by: declared.type,
                            number: index + 1,
                            to: destination,
                            at: DeclaredCall.fixedTime
                        )
                    else { return nil }
                    let parameters = call.redacted(for: destination.purpose.name)
                    return ContractExample(contract: contract, event: event, parameters: parameters, request: request)
                }
            }
        }
    }
}

/// The parts of a source file in which both languages agree.
extension ContractFiles {
    /// Returns the lines of a documentation comment, of at most 100 characters, or none for an empty text.
    static func comment(_ text: String) -> [String] {
        let paragraphs = text.split(separator: "\n").map { wrapped(plain(String($0))) }
        guard paragraphs.count != 1 || paragraphs[0].count > 1 else { return ["/** \(paragraphs[0][0]) */"] }
        let lines = paragraphs.joined(separator: [""]).map { $0.isEmpty ? " *" : " * \($0)" }
        return lines.isEmpty ? [] : ["/**"] + lines + [" */"]
    }

    /// Returns a text that neither ends a comment nor starts one in it.
    static func plain(_ text: String) -> String {
        text.replacing("*/", with: "* /").replacing("/*", with: "/ *").replacing(#/\s+/#, with: " ")
    }

    /// Returns a string literal.
    static func literal(_ text: String, quote: Character) -> String {
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\\": "\\\\"
            case Unicode.Scalar("\(quote)"): "\\\(quote)"
            case _ where scalar.value < 0x20 || [0x7F, 0x2028, 0x2029].contains(scalar.value):
                "\\u" + String(repeating: "0", count: scalar.value < 0x10 ? 3 : scalar.value < 0x100 ? 2 : 0)
                    + String(scalar.value, radix: 16)
            default: String(scalar)
            }
        }
        return "\(quote)\(escaped.joined())\(quote)"
    }

    private static func wrapped(_ text: String) -> [String] {
        text.split(separator: " ").reduce(into: [""]) { lines, word in
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + word.count < 96 {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
