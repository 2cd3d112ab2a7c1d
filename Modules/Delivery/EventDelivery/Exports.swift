// With `MemberImportVisibility`, a file that opens the engine and reads a report or a response would otherwise import
// four modules for one vocabulary. None of them depends on the engine. Besides this file, only MultiTracker and
// Analytics re-export a module.
@_exported public import DeliveryLogging
@_exported public import EventQuotas
@_exported public import EventTracking
@_exported public import HTTPTransport
