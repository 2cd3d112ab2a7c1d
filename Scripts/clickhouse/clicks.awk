# Prints the clicks of a clickstream file as `type product session`, separated by tabs: awk -f … FILE
#
# Fields must not be quoted. The columns may be in any order.

BEGIN { FS = ","; OFS = "\t" }

{ sub(/\r$/, "") }

NR == 1 {
    for (column = 1; column <= NF; column++) place[$column] = column
    next
}

NF { print $place["event_type"], $place["product_id"], $place["user_session"] }
