// A vendor's tracker extends `TrackerType`. With this, its file imports one module.
@_exported public import CoreTracker
