// The part of SwiftUI that the modules and apps use, as documented.
@_exported import AppleFoundation

#if os(iOS) || os(tvOS)
import UIKit
#endif

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
    @available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
    public var dismiss: DismissAction { fatalError() }
}

@available(macOS 12, iOS 15, tvOS 15, watchOS 8, *)
@MainActor
@preconcurrency
public struct DismissAction {
    @MainActor @preconcurrency public func callAsFunction() {}
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
    public var projectedValue: Binding<Value> { fatalError() }

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
    nonisolated public func task(
        priority: TaskPriority = .userInitiated,
        @_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void
    ) -> some View { _ModifiedContent<Self, Int>() }

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

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
@propertyWrapper
public struct Binding<Value> {
    public var wrappedValue: Value { get { fatalError() } nonmutating set {} }
    public var projectedValue: Binding<Value> { self }

    @preconcurrency
    public init(
        get: @escaping @isolated(any) @Sendable () -> Value,
        set: @escaping @isolated(any) @Sendable (Value) -> Void
    ) {}
}

extension View {
    nonisolated public func sheet<Content: View>(
        isPresented: Binding<Bool>,
        onDismiss: (() -> Void)? = nil,
        @ViewBuilder content: @escaping () -> Content
    ) -> some View { _ModifiedContent<Self, Content>() }

    @available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
    nonisolated public func onOpenURL(perform action: @escaping (URL) -> Void) -> some View {
        _ModifiedContent<Self, URL>()
    }
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
@MainActor
@preconcurrency
public protocol App {
    associatedtype Body: Scene

    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }

    @MainActor @preconcurrency init()
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
extension App {
    @MainActor @preconcurrency public static func main() {}
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
@MainActor
@preconcurrency
public protocol Scene {
    associatedtype Body: Scene

    @SceneBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
extension Never: Scene {}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
@resultBuilder
public struct SceneBuilder {
    public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
    public static func buildExpression<Content: Scene>(_ content: Content) -> Content { content }
}

@available(macOS 11, iOS 14, tvOS 14, watchOS 7, *)
public struct WindowGroup<Content: View>: Scene {
    public var body: Never { fatalError() }

    nonisolated public init(@ViewBuilder content: () -> Content) {}
}

#if os(iOS) || os(tvOS)
@available(iOS 14, tvOS 14, *)
@MainActor
@preconcurrency
@propertyWrapper
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate> {
    @MainActor @preconcurrency public var wrappedValue: DelegateType { fatalError() }

    @MainActor @preconcurrency public init(_ delegateType: DelegateType.Type = DelegateType.self) {}
}
#endif

@available(macOS 10.15, iOS 13, tvOS 13, watchOS 6, *)
@MainActor
@preconcurrency
public protocol PreviewProvider {
    associatedtype Previews: View

    @ViewBuilder @MainActor @preconcurrency static var previews: Self.Previews { get }
}
