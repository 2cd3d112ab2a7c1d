#!/usr/bin/env bash
# Modules contain no traps, no unsafe promises to the compiler, no mutable globals and no output. The formatter finds
# force unwraps (NeverForceUnwrap).
source "$(dirname "$0")/report.bash"

forbid() {
    report "$1" < <(code_matching "$2" Modules)
}

word='(^|[^A-Za-z0-9_.])'
forbid 'nothing traps' \
    "($word(try!|as!|fatalError\(|precondition(Failure)?\(|assert(ionFailure)?\()|\.unsafelyUnwrapped)"
report 'nothing is unchecked, but for the locks themselves' < <(
    code_matching '(@unchecked +Sendable|nonisolated\(unsafe\)|unowned\(unsafe\)|unsafeBitCast\()' Modules |
        grep -v '^Modules/System/Locks/'
)
forbid 'values are typed' '\[String *: *Any\??\]'
# The value of a task-local variable changes only for one task and its children.
report 'no mutable static' < <(code_matching '(static|class) +var +[^{]*(=|$)' Modules | grep -v '@TaskLocal ')
report 'no mutable global' < <(
    code Modules | grep -E '^[^:]*:[0-9]+:((public|package|internal|private|fileprivate) +)?var +[^{]*(=|$)'
)
forbid 'no detached task' 'Task\.detached'
report 'no re-exported import, but for the parts that the engine is made of' < <(
    code Modules | grep -F '@_exported' | grep -v '^Modules/Delivery/EventDelivery/EventDelivery.swift:'
)
forbid 'no testable import' '@testable'
forbid 'no code of debug builds alone' '#(else)?if +DEBUG'
report 'nothing is printed, but by the printing service' < <(
    code_matching "$word(print|debugPrint|dump|NSLog)\(" Modules | grep -v '^Modules/Core/CoreTracker/PrintingService.swift:'
)
forbid 'the entry point is in Apps' '@main'
finish
