/// A flying thing that has lives.
protocol Living: FlyingThing {
    /// How many lives are left, from 0.
    var lives: Int { get }
}
