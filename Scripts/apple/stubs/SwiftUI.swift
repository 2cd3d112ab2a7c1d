// The part of SwiftUI that the modules use, as documented.
@_exported import AppleFoundation

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
@MainActor
@preconcurrency
public protocol View {
    associatedtype Body: View

    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension Never: View {
    public var body: Never { fatalError() }
}

@resultBuilder
public struct ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildBlock<each Content: View>(
        _ content: repeat each Content
    ) -> TupleView<(repeat each Content)> { fatalError() }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

public struct TupleView<T>: View {
    public var body: Never { fatalError() }
}

public struct _ModifiedContent<Content, Modifier>: View {
    public var body: Never { fatalError() }
}

public struct _ViewModifier_Content<Modifier>: View {
    public var body: Never { fatalError() }
}

@MainActor
@preconcurrency
public protocol ViewModifier {
    associatedtype Body: View
    typealias Content = _ViewModifier_Content<Self>

    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

public protocol EnvironmentKey {
    associatedtype Value

    static var defaultValue: Value { get }
}

public struct EnvironmentValues {
    public subscript<Key: EnvironmentKey>(key: Key.Type) -> Key.Value { get { fatalError() } set {} }
    public var scenePhase: ScenePhase { get { fatalError() } set {} }
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
public enum ScenePhase: Comparable, Sendable {
    case background
    case inactive
    case active
}

@propertyWrapper
public struct Environment<Value> {
    public var wrappedValue: Value { fatalError() }

    public init(_ keyPath: KeyPath<EnvironmentValues, Value>) {}
}

extension Environment: Sendable where Value: Sendable {}

@propertyWrapper
public struct State<Value> {
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }

    public init(wrappedValue: Value) {}
}

extension View {
    nonisolated public func modifier<Modifier>(_ modifier: Modifier) -> _ModifiedContent<Self, Modifier> {
        fatalError()
    }
    nonisolated public func environment<Value>(
        _ keyPath: WritableKeyPath<EnvironmentValues, Value>,
        _ value: Value
    ) -> some View { _ModifiedContent<Self, Value>() }
    nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View { _ModifiedContent<Self, Int>() }
    nonisolated public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        _ModifiedContent<Self, Int>()
    }

    @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
    nonisolated public func task<ID: Equatable>(
        id value: ID,
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { _ModifiedContent<Self, ID>() }
}

// From Combine, which SwiftUI exports.
@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
public protocol ObservableObject: AnyObject {}

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
@propertyWrapper
public struct Published<Value> {
    public var wrappedValue: Value { get { fatalError() } set {} }

    public init(wrappedValue: Value) {}
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
@MainActor
@preconcurrency
@propertyWrapper
public struct StateObject<ObjectType: ObservableObject> {
    @MainActor @preconcurrency public var wrappedValue: ObjectType { fatalError() }

    nonisolated public init(wrappedValue thunk: @autoclosure @escaping () -> ObjectType) {}
}

public struct VStack<Content: View>: View {
    public var body: Never { fatalError() }

    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

public struct HStack<Content: View>: View {
    public var body: Never { fatalError() }

    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

public struct List<Data: RandomAccessCollection, RowContent: View>: View where Data.Element: Identifiable {
    public var body: Never { fatalError() }

    nonisolated public init(_ data: Data, @ViewBuilder rowContent: @escaping (Data.Element) -> RowContent) {}
}

public struct Text: View {
    public var body: Never { fatalError() }

    nonisolated public init<Content: StringProtocol>(_ content: Content) {}

    nonisolated public func bold() -> Text { self }
}

public struct Image: View {
    public var body: Never { fatalError() }

    @available(macOS 11, iOS 13, tvOS 13, watchOS 6, *)
    nonisolated public init(systemName: String) {}
}

public struct Button<Label: View>: View {
    public var body: Never { fatalError() }
}

extension Button where Label == Text {
    nonisolated public init<Content: StringProtocol>(_ title: Content, action: @escaping @MainActor () -> Void) {}
}

public protocol ShapeStyle: Sendable {}

public struct Color: ShapeStyle {}

extension ShapeStyle where Self == Color {
    public static var green: Color { fatalError() }
}

extension View {
    @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
    nonisolated public func foregroundStyle<Style: ShapeStyle>(_ style: Style) -> some View {
        _ModifiedContent<Self, Style>()
    }
}
