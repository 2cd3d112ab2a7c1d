# Reads Markdown pages, then Swift files, and prints the place of each ```swift block whose lines follow one another in
# no Swift file. Indentation and blank lines do not count.

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
}

END {
    for (i = 1; i <= count; i++) {
        found = 0
        for (file in source) if (index("\n" source[file], block[i])) found = 1
        if (!found) print place[i]
    }
}
