#if canImport(Darwin)
public import Darwin
#else
public import Synchronization
#endif

/// A mutual-exclusion lock that protects a value.
///
/// The API matches the standard library's `Mutex`, which is available on Apple's platforms from iOS 18. On those
/// platforms this type uses `os_unfair_lock`. A waiting thread donates its priority to the lock's owner. On other
/// platforms it wraps the standard library's type. An uncontended lock costs a few nanoseconds. The lock is not
/// recursive: if a thread locks it twice, the process terminates or the thread deadlocks.
///
/// ```swift
/// let lines = Mutex<[String]>([])
/// let service = PrintingService { line in lines.withLock { $0.append(line) } }
/// ```
@safe
public struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    #if canImport(Darwin)
    @usableFromInline let lock: UnsafeMutablePointer<os_unfair_lock>
    @usableFromInline let value: UnsafeMutablePointer<Value>

    /// Creates a mutex.
    ///
    /// - Parameter initialValue: The value to protect.
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

    /// Runs a closure with exclusive access to the value.
    ///
    /// Waits until no other thread has access.
    ///
    /// - Parameter body: Reads and changes the value.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe os_unfair_lock_lock(lock)
        defer { unsafe os_unfair_lock_unlock(lock) }
        return try unsafe body(&value.pointee)
    }

    /// Runs a closure with exclusive access to the value, unless another thread has access.
    ///
    /// - Parameter body: Reads and changes the value.
    /// - Returns: The result of the closure, or `nil` if another thread has access.
    /// - Throws: The error of the closure.
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

    /// Creates a mutex.
    ///
    /// - Parameter initialValue: The value to protect.
    @inlinable
    public init(_ initialValue: consuming sending Value) {
        mutex = Synchronization.Mutex(initialValue)
    }

    /// Runs a closure with exclusive access to the value.
    ///
    /// Waits until no other thread has access.
    ///
    /// - Parameter body: Reads and changes the value.
    /// - Returns: The result of the closure.
    /// - Throws: The error of the closure.
    @inlinable
    public borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        try mutex.withLock(body)
    }

    /// Runs a closure with exclusive access to the value, unless another thread has access.
    ///
    /// - Parameter body: Reads and changes the value.
    /// - Returns: The result of the closure, or `nil` if another thread has access.
    /// - Throws: The error of the closure.
    @inlinable
    public borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable(body)
    }
    #endif
}
