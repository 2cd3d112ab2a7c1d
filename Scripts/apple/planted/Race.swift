// A data race in code for Apple platforms alone, which the compiler finds after all else is right.
import UIKit

#if canImport(UIKit)
final class Counter {
    var count = 0
}

@MainActor
func sharesWithTheMainActor(_ counter: Counter) {
    Task.detached { counter.count += 1 }  // expected-error {{risks causing data races}}
    counter.count += 1
}
#endif
