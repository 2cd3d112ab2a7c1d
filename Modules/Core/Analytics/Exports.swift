// A step has parameters of `CoreTracker`. With this, a file that declares steps imports one module.
@_exported public import CoreTracker
