/// Everything that takes part, listed once for each capability, so that nobody ever casts to find one out.
struct Roster {
    /// Everything that flies.
    var flying: [any FlyingThing] = []
    /// What has a velocity.
    var moving: [any Moving] = []
    /// What has lives.
    var living: [any Living] = []
    /// What can shoot.
    var shooting: [any Shooting] = []
    /// What can collide.
    var colliding: [any Colliding] = []

    /// Takes in a thing, with the capabilities that it enters itself.
    mutating func add(_ thing: any FlyingThing) {
        thing.enrol(in: &self)
    }

    /// Forgets what no longer takes part.
    mutating func removeGone() {
        flying.removeAll { !$0.isFlying }
        moving.removeAll { !$0.isFlying }
        living.removeAll { !$0.isFlying }
        shooting.removeAll { !$0.isFlying }
        colliding.removeAll { !$0.isFlying }
    }
}
