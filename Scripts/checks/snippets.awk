# Reads Markdown pages, then Swift files, and prints the place of each ```swift block whose lines are not consecutive
# lines of a Swift file. Ignores indentation and blank lines. A block passes if it imports a module that no Swift file
# here imports, such as a vendor's SDK, because it cannot be compiled here.

FILENAME ~ /\.md$/ {
    if ($0 ~ /^ *```/) {
        inside = !inside && $0 ~ /^ *```swift/
        if (inside) {
            count++
            place[count] = FILENAME ":" FNR
            block[count] = "\n"
        }
        next
    }
    if (!inside) next
}

{
    gsub(/^[ \t]+|[ \t]+$/, "")
    if ($0 == "") next
    if (FILENAME ~ /\.md$/) block[count] = block[count] $0 "\n"
    else source[FILENAME] = source[FILENAME] $0 "\n"
    if ($0 !~ /^((public|package|@testable) )?import [A-Za-z]+$/) next
    if (FILENAME ~ /\.md$/) needs[count] = needs[count] " " $NF
    else known[$NF] = 1
}

function is_foreign(block,    i, n, module) {
    n = split(needs[block], module, " ")
    for (i = 1; i <= n; i++) if (!(module[i] in known)) return 1
    return 0
}

END {
    for (i = 1; i <= count; i++) {
        found = is_foreign(i)
        for (file in source) if (index("\n" source[file], block[i])) found = 1
        if (!found) print place[i]
    }
}
