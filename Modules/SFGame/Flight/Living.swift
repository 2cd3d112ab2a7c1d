/// A flying thing that has lives.
public protocol Living: FlyingThing {
    /// How many lives are left, from 0.
    var lives: Int { get }
}
