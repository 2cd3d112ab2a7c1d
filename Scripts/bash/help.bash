# Prints the help of a script and ends the script if --help or -h is among its arguments. Source this file first:
#     source "$(dirname "$0")/bash/help.bash"
# The help is the comment at the top of the script. A script that passes its arguments to a program sets `help_source`
# to the Swift file with the program's help, which is printed next. Nothing has to be built for it. An option that is
# not in this help is refused before the build.

# Prints a path relative to the caller's folder as an absolute one: from_caller PATH. The script may change its folder.
caller=$PWD
from_caller() { [[ $1 == /* ]] && printf '%s' "$1" || printf '%s/%s' "$caller" "$1"; }

# Ends the script with 64, because it has no such argument: unknown ARGUMENT
unknown() {
    echo "$(basename "$0"): no option $1; --help lists them" >&2
    exit 64
}

# Ends the script with 64 if the first argument is an option without its value: needs_value "$@"
needs_value() {
    if [[ -z ${2:-} || $2 == --* ]]; then
        echo "$(basename "$0"): $1 needs a value; --help lists the options" >&2
        exit 64
    fi
}

print_help() {
    sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p;}' "$0"
    [[ -n ${help_source:-} ]] || return 0
    echo
    sed -n '/static let [a-z]* = """$/,/^ *"""$/{/"""$/!{s/^        //;p;};}' \
        "$(dirname "${BASH_SOURCE[0]}")/../../$help_source"
}

for argument in "$@"; do
    [[ $argument != --help && $argument != -h ]] || { print_help && exit; }
done
[[ -z ${help_source:-} ]] || for argument in "$@"; do
    [[ $argument != --* ]] || print_help | grep -wF -e "${argument%%=*}" >/dev/null || unknown "$argument"
done
