// A data race in code for Apple platforms only. The compiler finds it only if all other code is correct.
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
