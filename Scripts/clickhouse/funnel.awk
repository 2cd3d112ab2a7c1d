# Prints how many sessions of a clickstream have viewed, then filled the basket, then bought: what the query `funnel`
# counts, from clicks that are sorted by their time and, at the same time, by their stage: `time stage session`.

BEGIN { FS = "\t" }

$2 == 1 { viewed[$3] = 1 }
$2 == 2 && $3 in viewed { filled[$3] = 1 }
$2 == 3 && $3 in filled { bought[$3] = 1 }

function size(list,    name, count) {
    for (name in list) count++
    return count + 0
}

END { print size(viewed) "\t" size(filled) "\t" size(bought) }
