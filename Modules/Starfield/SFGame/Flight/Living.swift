/// A character that has lives.
public protocol Living: GameObject {
    /// The number of lives that are left, from 0.
    var lives: Int { get }
}
