#if canImport(Darwin)
public import Darwin
#else
public import Synchronization
#endif

/// A value that one thread at a time can reach.
///
/// The calls are those of the standard library's `Mutex`, which on Apple's platforms exists only since iOS 18. There
/// this one uses `os_unfair_lock`, which knows its owner, so that a waiting thread lends it its priority; elsewhere it
/// is the standard library's own. Taking it costs a few nanoseconds while no other thread holds it. It is not
/// recursive: a thread that takes it twice ends the process or waits for ever.
@safe
public struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    #if canImport(Darwin)
    @usableFromInline let lock: UnsafeMutablePointer<os_unfair_lock>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Creates a mutex around a value.
    public init(_ initialValue: consuming sending Value) {
        unsafe lock = .allocate(capacity: 1)
        unsafe lock.initialize(to: os_unfair_lock())
        unsafe value = .allocate(capacity: 1)
        unsafe value.initialize(to: initialValue)
    }

    deinit {
        unsafe value.deinitialize(count: 1)
        unsafe value.deallocate()
        unsafe lock.deallocate()
    }

    /// Runs a block on the value as soon as no other thread does, and returns what the block returns.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe os_unfair_lock_lock(lock)
        defer { unsafe os_unfair_lock_unlock(lock) }
        return try unsafe body(&value.pointee)
    }

    /// Runs a block on the value if no other thread does now; otherwise returns `nil` at once.
    @inlinable
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard unsafe os_unfair_lock_trylock(lock) else { return nil }
        defer { unsafe os_unfair_lock_unlock(lock) }
        return try unsafe body(&value.pointee)
    }
    #else
    @usableFromInline let mutex: Synchronization.Mutex<Value>

    /// Creates a mutex around a value.
    @inlinable
    public init(_ initialValue: consuming sending Value) {
        mutex = Synchronization.Mutex(initialValue)
    }

    /// Runs a block on the value as soon as no other thread does, and returns what the block returns.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }

    /// Runs a block on the value if no other thread does now; otherwise returns `nil` at once.
    @inlinable
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable(body)
    }
    #endif
}
