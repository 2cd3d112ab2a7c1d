import CoreTracker
import Foundation
import Testing

@testable import TrackingPlan

@Suite struct ValueSchemaTests {
    /// Two examples of the key `a`, and its type as text.
    struct Examples: Sendable, CustomStringConvertible {
        let first: ParameterValue
        let second: ParameterValue
        let description: String

        init(_ first: ParameterValue, _ second: ParameterValue, _ description: String) {
            (self.first, self.second, self.description) = (first, second, description)
        }
    }

    @Test(arguments: [
        Examples(1, 2, "integer"), Examples(1, 1.5, "number"), Examples("x", 1, "integer or string"),
        Examples([], [1], "array of integer"), Examples([1], ["x"], "array of integer or string"),
        Examples([], [], "array of nothing"), Examples(["b": 1], true, "boolean or object"),
    ])
    func `the type of a key covers every example`(examples: Examples) {
        let schema = ValueSchema(ofParameters: ["a": examples.first]).merged(
            with: ValueSchema(ofParameters: ["a": examples.second])
        )

        #expect(schema.keys().first?.schema.typeText == "\(examples)")
    }

    @Test func `a key that an example lacks is optional, even in a list`() {
        let first = ValueSchema(ofParameters: ["id": 1, "items": [["id": 1, "brand": "b"], ["id": 2]]])
        let schema = first.merged(with: ValueSchema(ofParameters: ["items": [["id": 3]]]))

        let keys = schema.keys().map { "\($0.path) \($0.isAlways)" }

        #expect(keys == ["id false", "items true", "items[].brand false", "items[].id true"])
    }

    @Test func `an object's keys stay required if another example is not an object`() {
        let schema = ValueSchema(of: .object(["b": 1])).merged(with: ValueSchema(of: .bool(true)))

        #expect(schema.required == ["b"])
        #expect(ValueSchema(of: .bool(true)).merged(with: ValueSchema(of: .object(["b": 1]))).required == ["b"])
    }

    @Test(arguments: [
        (SensitivePolicy.hash, "string", "hash"), (.pass(.marketing), "integer", "pass for marketing"),
        (.drop, "null", "drop"),
    ])
    func `a sensitive value has its policy and the type that is sent`(
        policy: SensitivePolicy,
        type: String,
        text: String
    ) throws {
        let schema = ValueSchema(ofParameters: .sensitive(Sensitive(7), as: "age", policy: policy))

        let key = try #require(schema.keys().first)
        #expect(key.schema.typeText == type)
        #expect(key.schema.policy == text)
        #expect(!key.isAlways)
    }

    @Test func `a schema survives encoding and decoding as JSON`() throws {
        let schema = ValueSchema(ofParameters: ["a": 1, "b": ["x", 2], "c": ["d": true]])
            .merged(
                with: ValueSchema(ofParameters: .sensitive(Sensitive("s"), as: "e", policy: .hash).merging(["a": "x"]))
            )

        let read = try JSONDecoder().decode(ValueSchema.self, from: JSONEncoder().encode(schema))

        #expect(read == schema)
    }
}
