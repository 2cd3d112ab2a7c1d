# For the scripts of this folder: prints the comment at the script's head, installs packages in a temporary folder,
# and compares what a program prints with what was seen.

set -euo pipefail
sed -n '2,/^$/s/^# \{0,1\}//p' "$0"
[[ ${1:-} != --help ]] || exit 0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cannot() {
    echo "not run: $1"
    exit 77
}

# python_packages NAME==VERSION...: installs them for `python3`.
python_packages() { python_packages_in packages "$@"; }

# python_packages_in FOLDER NAME==VERSION...: the same in a folder of its own, for two versions of a package.
python_packages_in() {
    local target=$folder/$1
    shift
    command -v python3 >/dev/null || cannot "python3 is missing"
    python3 -m pip install --quiet --disable-pip-version-check --target "$target" "$@" >pip.log 2>&1 ||
        cannot "pip cannot install $*"
    export PYTHONPATH=$target
    echo "Installed: $*"
}

# debian_packages NAME=VERSION...: unpacks them into $folder/debian, without installing them.
debian_packages() {
    command -v apt-get dpkg-deb >/dev/null || cannot "apt-get and dpkg-deb are missing"
    apt-get download "$@" >apt.log 2>&1 || cannot "apt-get cannot download $*"
    local package
    for package in *.deb; do
        dpkg-deb --extract "$package" debian
        echo "Unpacked: $(dpkg-deb --show "$package" | tr '\t' ' ')"
    done
    export LD_LIBRARY_PATH=$folder/debian/usr/lib/x86_64-linux-gnu
}

# swift_compiler VERSION: checks that the compiler has this version; swift_program: compiles and runs main.swift.
swift_compiler() {
    command -v swiftc >/dev/null || cannot "swiftc is missing"
    swiftc --version 2>&1 | grep -qF "Swift version $1 " || cannot "swiftc is not of version $1"
    echo "Compiler: $(swiftc --version 2>&1 | sed -n 1p)"
}
swift_program() { swiftc main.swift -o program && ./program; }

# seen: reads the expected output.
seen() { cat >seen; }

# compare COMMAND...: runs the command, prints its output and fails if it is not what was seen.
compare() {
    local status=0
    "$@" >output 2>errors || status=$?
    sed 's/^/  /' output
    if ((status)); then
        tail -5 errors
        echo "changed: $1 ended with $status"
        exit 1
    fi
    if ! diff seen output >difference; then
        echo "changed (< seen before, > now):"
        cat difference
        exit 1
    fi
    echo "as seen before"
}
