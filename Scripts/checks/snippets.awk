# Reads Markdown pages, then Swift files, and prints the place of each ```swift block whose lines are not consecutive
# lines of a Swift file. Ignores indentation, blank lines, comments of documentation and imports. Prints also a block
# without an import, and one with an import that neither that file nor its module has. A block passes if it imports a module that no Swift file
# here imports, such as a vendor's SDK, because it cannot be compiled here. The blocks of the README's quick start and
# of the page on typed events are files of packages, which Scripts/checks/packages builds.

FNR == 1 { elsewhere = FILENAME ~ /TypedEventsAndATest\.md$/ }
FILENAME ~ /README\.md$/ && /^## / { elsewhere = /Quick start/ }

FILENAME ~ /\.md$/ {
    if (elsewhere) next
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
    if ($0 == "" || $0 ~ /^\/\/\//) next
    if ($0 ~ /^((public|package|@testable) )?import [A-Za-z]+$/) {
        if (FILENAME ~ /\.md$/) needs[count] = needs[count] " " $NF
        else {
            known[$NF] = 1
            has[FILENAME, $NF] = 1
        }
    } else if (FILENAME ~ /\.md$/) block[count] = block[count] $0 "\n"
    else source[FILENAME] = source[FILENAME] $0 "\n"
}

function is_foreign(block,    i, n, module) {
    n = split(needs[block], module, " ")
    for (i = 1; i <= n; i++) if (!(module[i] in known)) return 1
    return 0
}

# Whether a file has the imports of a block, or is in the imported module. A part of a manifest needs none.
function has_imports(file, block,    i, n, module) {
    n = split(needs[block], module, " ")
    if (n == 0) return file ~ /Package\.swift$/
    for (i = 1; i <= n; i++) if (!((file, module[i]) in has) && index(file, "/" module[i] "/") == 0) return 0
    return 1
}

END {
    for (i = 1; i <= count; i++) {
        found = is_foreign(i)
        for (file in source) if (index("\n" source[file], block[i]) && has_imports(file, i)) found = 1
        if (!found) print place[i]
    }
}
