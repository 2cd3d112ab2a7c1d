public import CoreTracker
public import Foundation

extension EventParameters {
    /// The parameters as Foundation's objects, for an SDK that takes a dictionary.
    ///
    /// A truth value becomes 1 or 0. A number that is not finite, and what is nested deeper than
    /// ``JSONWriter/maximumDepth``, is left out.
    public var foundationObjects: [String: NSObject] {
        foundationObjects(depth: 1)
    }

    private func foundationObjects(depth: Int) -> [String: NSObject] {
        var objects: [String: NSObject] = [:]
        for parameter in self {
            objects[parameter.key.name] = EventParameters.foundationObject(of: parameter.value, depth: depth)
        }
        return objects
    }

    private static func foundationObject(of value: ParameterValue, depth: Int) -> NSObject? {
        guard depth <= JSONWriter.maximumDepth else { return nil }
        switch value {
        case .string(let text): return NSString(string: text)
        case .int(let number): return NSNumber(value: number)
        case .double(let number): return number.isFinite ? NSNumber(value: number) : nil
        case .bool(let flag): return NSNumber(value: flag ? 1 : 0)
        case .array(let elements):
            return NSArray(array: elements.compactMap { foundationObject(of: $0, depth: depth + 1) })
        case .object(let members):
            return NSDictionary(dictionary: members.foundationObjects(depth: depth + 1))
        }
    }
}
