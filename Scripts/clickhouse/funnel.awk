# Prints how many sessions of a clickstream have viewed, then filled the basket, then bought, as the query `funnel`
# counts them: awk -f … CLICKS, as clicks.awk prints them.

BEGIN { FS = "\t" }

$1 == "view" { viewed[$3] = 1 }
$1 == "cart" && $3 in viewed { filled[$3] = 1 }
$1 == "purchase" && $3 in filled { bought[$3] = 1 }

function size(list,    name, count) {
    for (name in list) count++
    return count + 0
}

END { print size(viewed) "\t" size(filled) "\t" size(bought) }
