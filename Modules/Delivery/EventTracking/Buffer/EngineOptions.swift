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

/// A closure of an option that the engine calls outside of locks.
///
/// Its lock orders a call with ``set(_:)``: a closure that is set later finds what the call reports.
package final class OptionHook: Sendable {
    private let closure = Mutex<(@Sendable () -> Void)?>(nil)

    init() {}

    /// Sets the only closure.
    ///
    /// - Parameter closure: It is called on any thread, and must not wait.
    package func set(_ closure: @escaping @Sendable () -> Void) { self.closure.withLock { $0 = closure } }

    /// Calls the closure, if there is one.
    package func call() { closure.withLock { $0 }?() }
}
