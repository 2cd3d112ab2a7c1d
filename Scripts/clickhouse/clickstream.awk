# Prints a clickstream in the REES46 columns: awk -v rows=N -v seed=S -f Scripts/clickhouse/clickstream.awk
#
# Sixty concurrent users view products, and add, remove and buy some of them. There are five clicks a second, so times
# do not identify clicks. The same seed produces the same rows with every awk, because the script has its own random
# numbers (Lehmer, modulus 2^31 - 1).

function random(bound) {
    state = state * 16807 % 2147483647
    return int(state / 2147483647 * bound)
}

function hex(digits,    text) {
    while (length(text) < digits) text = text sprintf("%x", random(16))
    return text
}

function visit(slot) {
    session[slot] = hex(8) "-" hex(4) "-" hex(4) "-" hex(4) "-" hex(12)
    user[slot] = 500000000 + random(100000000)
    product[slot] = 0
    filled[slot] = 0
}

# Returns the next action of the visitor in a slot.
function click(slot,    choice) {
    choice = random(100)
    if (!product[slot] || choice < 72) {
        product[slot] = 1000000 + int(random(300) * (1 + random(1000)) / 1000) # low numbers are popular
        return "view"
    }
    if (filled[slot] && choice < 80) return filled[slot]-- ? "purchase" : ""
    if (filled[slot] && choice < 84) return filled[slot]-- ? "remove_from_cart" : ""
    filled[slot]++
    return "cart"
}

BEGIN {
    state = seed % 2147483646 + 1
    for (slot = 0; slot < 60; slot++) visit(slot)
    print "event_time,event_type,product_id,category_id,category_code,brand,price,user_id,user_session"
    for (row = 0; row < rows; row++) {
        slot = random(60)
        if (random(15) == 0) visit(slot)
        kind = click(slot)
        number = product[slot]
        second = int(row / 5)
        printf "2019-10-%02d %02d:%02d:%02d UTC,%s,%d,20530135500000000%02d,%s,%s,%d.%02d,%d,%s\n", 1 + int(second / 86400) % 28,
            int(second / 3600) % 24, int(second / 60) % 60, second % 60, kind, number, number % 40,
            number % 3 ? "apparel.shoes" : "", number % 5 ? "brand" number % 7 : "", 5 + number % 200, number % 100,
            user[slot], session[slot]
    }
}
