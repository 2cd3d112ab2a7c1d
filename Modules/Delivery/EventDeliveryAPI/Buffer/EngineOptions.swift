import Locks

/// The objects of an engine's options, one for each class, which live as long as the engine.
package final class EngineOptions: Sendable {
    private let objects = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// Returns the object of an option.
    ///
    /// - Parameter make: Creates the object at the first call. It must not use other options.
    package func object<Option: AnyObject & Sendable>(_ make: () -> Option) -> Option {
        objects.withLock { objects in
            if let known = objects[ObjectIdentifier(Option.self)] as? Option { return known }
            let made = make()
            objects[ObjectIdentifier(Option.self)] = made
            return made
        }
    }
}
