# Prints Swift files as `file:line:code` without comments and without the contents of strings and raw identifiers, for
# checks that match only code. Keeps interpolated code. A single-line string never spans lines, so a mistake of this
# scanner ends with its line.

function begin_file() {
    comment = 0  # depth of block comments
    depth = 0    # of the strings that the position is in
}

# Opens a string at the quote at `at`, with its number of `#`. Returns the length of its opening.
function open_string(at, hashes) {
    depth++
    marks[depth] = hashes
    parens[depth] = -1  # -1: in the text; 0 and more: parentheses open in an interpolation
    triple[depth] = substr(line, at, 3) == "\"\"\""
    return triple[depth] ? 3 : 1
}

# Whether the rest of the line starts with `text` followed by the current string's number of `#`.
function starts(at, text) {
    return substr(line, at, length(text) + marks[depth]) == text substr("########", 1, marks[depth])
}

function in_text() { return depth > 0 && parens[depth] < 0 }

# Consumes string text from `at` up to its end or an interpolation. Returns the position after it.
function skip_text(at,    quote) {
    quote = triple[depth] ? "\"\"\"" : "\""
    while (at <= width) {
        if (starts(at, quote)) {
            at += length(quote) + marks[depth]
            depth--
            code = code "\""
            return at
        }
        if (substr(line, at, 1) == "\\" && substr(line, at + 1, marks[depth]) == substr("########", 1, marks[depth])) {
            at += 1 + marks[depth]
            if (substr(line, at, 1) == "(") {
                parens[depth] = 0
                return at
            }
        }
        at++
    }
    return at
}

FNR == 1 { begin_file() }

{
    line = $0
    width = length(line)
    code = ""
    while (depth > 0 && !triple[depth]) depth--
    at = 1
    while (at <= width) {
        if (comment > 0) {
            two = substr(line, at, 2)
            if (two == "*/") comment--
            if (two == "/*") comment++
            at += two == "*/" || two == "/*" ? 2 : 1
            continue
        }
        if (in_text()) {
            at = skip_text(at)
            continue
        }
        # Copy everything up to the next significant character.
        rest = substr(line, at)
        if (!match(rest, /["#`()\/]/)) {
            code = code rest
            break
        }
        code = code substr(rest, 1, RSTART - 1)
        at += RSTART - 1
        rest = substr(line, at)
        sign = substr(rest, 1, 1)
        if (sign == "/") {
            if (substr(rest, 1, 2) == "//") break
            if (substr(rest, 1, 2) == "/*") {
                comment++
                at += 2
                continue
            }
        } else if (sign == "`") {
            close_mark = index(substr(rest, 2), "`")
            if (close_mark > 0) {
                name = substr(rest, 1, close_mark + 1)
                code = code (name ~ /[^A-Za-z0-9_`]/ ? "`_`" : name)
                at += close_mark + 1
                continue
            }
        } else if (sign == "\"") {
            code = code "\""
            at += open_string(at, 0)
            continue
        } else if (sign == "#") {
            match(rest, /^#+/)
            if (substr(rest, RLENGTH + 1, 1) == "\"") {
                code = code "\""
                hashes = RLENGTH
                at += hashes
                at += open_string(at, hashes)
                continue
            }
        } else if (depth > 0) {
            parens[depth] += sign == "(" ? 1 : -1
            if (parens[depth] == 0) parens[depth] = -1
        }
        code = code sign
        at++
    }
    print FILENAME ":" FNR ":" code
}
