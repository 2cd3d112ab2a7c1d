// A data race in code for Apple platforms only. The compiler finds it only if all other code is correct.
import UIKit

#if canImport(UIKit)
final class Counter {
    var count = 0
}

@MainActor
func sharesWithTheMainActor(_ counter: Counter) {
    // expected-error@+2 {{risks causing data races}}
    // expected-note@+1 {{captures main actor-isolated}}
    Task.detached { counter.count += 1 }
    counter.count += 1
}
#endif
