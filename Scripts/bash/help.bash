# The start of each script: a failed command ends it, and it has the functions of build.bash. Source this file first:
#     source "$(dirname "$0")/bash/help.bash"
# It prints the help of the script and ends the script if --help or -h is among its arguments.
# The help is the comment at the top of the script. A script that passes its arguments to a program sets `help_source`
# to the Swift file with the program's help, which is printed next. Nothing has to be built for it. An option that is
# not in this help is refused before the build.

set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/build.bash"

# Python programs may import the modules of Scripts/python, and leave no compiled files in the repository.
PYTHONPATH=$(cd "$(dirname "${BASH_SOURCE[0]}")/../python" && pwd)${PYTHONPATH:+:$PYTHONPATH}
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1

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

# Ends the script with 64 if the first argument is an option without a number: needs_count "$@"
needs_count() {
    needs_value "$@"
    [[ $2 =~ ^[0-9]+$ ]] || { echo "$(basename "$0"): $1 needs a number, and $2 is none" >&2 && exit 64; }
}

# Ends the script with 64 if a list with commas has an unknown name: known_names OPTION LIST NAME…
known_names() {
    local name
    for name in ${2//,/ }; do
        [[ " ${*:3} " != *" $name "* ]] || continue
        echo "$(basename "$0"): $1 $2: there is no $name; there are ${*:3}" >&2
        exit 64
    done
}

# Ends the script with 66 if the file of an option cannot be read: readable OPTION FILE
readable() {
    [[ -z $2 || -r $2 && ! -d $2 ]] || { echo "$(basename "$0"): the file of $1 cannot be read: $2" >&2 && exit 66; }
}

# Reads the arguments of a script: options 'write seed=VALUE built=PATH ARGUMENTS' "$@"
# Sets a variable for each name: a flag to `yes`, a value to the next argument, and a path to an absolute one. A hyphen
# becomes a line below, and the variable of an absent option is empty. A COUNT is a number. With ARGUMENTS, `words` has
# the arguments that are no options. Any other argument ends the script with 64.
options() {
    local known=" --${1// / --} " name
    for name in $1; do name=${name%=*} && printf -v "${name//-/_}" ''; done
    shift
    words=()
    while (($# > 0)); do
        name=${1#--} && name=${name//-/_}
        case "$known" in
            *" $1 "*) printf -v "$name" yes ;;
            *" $1=VALUE "*) needs_value "$@" && printf -v "$name" '%s' "$2" && shift ;;
            *" $1=COUNT "*) needs_count "$@" && printf -v "$name" '%s' "$2" && shift ;;
            *" $1=PATH "*) needs_value "$@" && printf -v "$name" '%s' "$(from_caller "$2")" && shift ;;
            *' --ARGUMENTS '*) [[ $1 != -* ]] || unknown "$1"; words+=("$1") ;;
            *) unknown "$1" ;;
        esac
        shift
    done
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
    [[ $argument != -[!0-9]* ]] ||
        print_help | grep -E -e "(^|[^[:alnum:]-])${argument%%=*}([^[:alnum:]-]|$)" >/dev/null || unknown "$argument"
done
