# Prints the number of sessions of a clickstream that viewed, then added to the basket, then bought, like the query
# `funnel`: awk -f … CLICKS, in the format of clicks.awk.

BEGIN { FS = "\t" }

$1 == "view" { viewed[$3] = 1 }
$1 == "cart" && $3 in viewed { filled[$3] = 1 }
$1 == "purchase" && $3 in filled { bought[$3] = 1 }

function size(list,    name, count) {
    for (name in list) count++
    return count + 0
}

END { print size(viewed) "\t" size(filled) "\t" size(bought) }
