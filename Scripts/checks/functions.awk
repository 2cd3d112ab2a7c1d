# Reads `file:line:code` and prints the length and the place of each function, initializer and subscript with a body.

{
    split($0, field, ":")
    if (field[1] != file) {
        file = field[1]
        braces = parens = open = declared = 0
    }
    text = substr($0, length(field[1]) + length(field[2]) + 3)
    # The function that begins here; one within another counts as part of it.
    if (!open && text ~ /(^|[^A-Za-z0-9_.`])(func |init[?]?[(<]|subscript[(<]|deinit )/) {
        declared = field[2]
        parens = 0
        around = braces
    }
    gsub(/[^{}()]/, "", text)
    for (at = 1; at <= length(text); at++) {
        sign = substr(text, at, 1)
        if (sign == "(") parens++
        if (sign == ")") parens--
        if (sign == "{") {
            braces++
            if (declared && !open && parens == 0) open = braces  # not a closure among the parameters
        }
        if (sign == "}") {
            if (open == braces) {
                print field[2] - declared + 1 "\t" file ":" declared
                open = declared = 0
            } else if (!open && braces == around) {
                declared = 0  # a requirement without a body: its protocol ends here
            }
            braces--
        }
    }
}
