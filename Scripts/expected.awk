# Reads Swift files, then a compiler's messages as `-`. Prints the errors that do not match the files' comments of the
# form `expected-error {{…}}`, line by line.

BEGIN { FS = ": " }

FILENAME != "-" {
    if (match($0, /expected-error \{\{.*\}\}/))
        expected[FILENAME ":" FNR] = substr($0, RSTART + 17, RLENGTH - 19)
    next
}

$2 == "error" {
    split($1, place, ":")
    line = place[1] ":" place[2]
    if (line in expected && index($0, expected[line])) met[line] = 1
    else print "not expected: " $0
}

END { for (line in expected) if (!(line in met)) print "did not come: " line ": " expected[line] }
