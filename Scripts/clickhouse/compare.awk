# Compares the clicks of two files, in the format of clicks.awk, by type, product, session and all three. Prints a line
# for each, and fails if one differs: awk -v title=T -f … EXPECTED ARRIVED

BEGIN {
    FS = "\t"
    parts = split("event type,product,session,all three", title_of, ",")
}

function key(part) { return part == 4 ? $0 : $part }

FNR == 1 { file++ }

{
    total[file]++
    for (part = 1; part <= parts; part++) {
        name = part SUBSEP key(part)
        if (!(name in groups)) count[part]++
        groups[name] += file == 1 ? 1 : 0
        table[name] += file == 2 ? 1 : 0
    }
}

END {
    for (name in groups) {
        split(name, piece, SUBSEP)
        if (groups[name] != table[name]) differ[piece[1]]++
    }
    for (part = 1; part <= parts; part++) {
        printf "%-36s %-10s %7d %8d %8d %7d\n", part == 1 ? title : "", title_of[part], count[part], total[1],
            total[2], differ[part]
        if (differ[part]) status = 1
    }
    exit status
}
