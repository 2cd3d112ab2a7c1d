# Prepares the programs for the scripts that deliver to a ClickHouse. Source this file in the repository's folder.
#
# Python packages are installed in .build/integration-python, with the checksums in the requirement files. Debian's
# servers are only unpacked in .build/packages, because installing them would start services.

script=$(basename "$0")

# One script prepares at a time, until it ends or calls `run`.
mkdir -p .build
exec 9>.build/prepare.lock
! command -v flock >/dev/null || flock 9

# Ends with 69, because this machine lacks something.
lack() {
    printf '%s: %s\n' "$script" "$1" >&2
    exit 69
}

# Installs missing packages, or ends the script.
require_packages() {
    install_packages "$@" >&2 || lack "cannot install $*; is there a network, and may this user install packages?"
}

# Unpacks packages without installing them, each in its own folder, with the packages that it requires and this machine
# lacks.
unpack_packages() {
    local package file new=$PWD/.build/packages/new
    local download=(apt-get -qq -y -o Debug::NoLocking=1 -o "Dir::Cache::archives=$new" --no-install-recommends
        --no-remove --reinstall --download-only install)
    for package in "$@"; do
        [[ ! -d .build/packages/$package ]] || continue
        echo "$script: unpacks $package"
        rm -rf "$new" && mkdir -p "$new/partial"
        { "${download[@]}" "$package" || { apt update && "${download[@]}" "$package"; }; } >/dev/null 2>&1 ||
            lack "apt-get cannot download $package; is there a network?"
        for file in "$new"/*.deb; do dpkg-deb -x "$file" "$new" && rm "$file"; done
        mv "$new" ".build/packages/$package"
    done
}

# Sets `python` to an interpreter with the packages of requirement files.
prepare_python() {
    local environment=.build/integration-python system file
    Scripts/bootstrap python3
    system=$(command -v /usr/bin/python3 || command -v python3)
    "$system" -c 'import ensurepip' 2>/dev/null || require_packages python3-venv
    [[ -x $environment/bin/pip ]] || "$system" -m venv --clear "$environment" ||
        lack 'Python cannot create an environment'
    python=$environment/bin/python
    for file in "$@"; do install_requirements "$file" "${file//\//-}"; done
}

# Installs the Python packages of a requirement file, unless a copy has its content: install_requirements FILE COPY
install_requirements() {
    local copy=.build/integration-python/$2 log
    ! cmp -s "$1" "$copy" || return 0
    echo "$script: installs the Python packages of $1"
    log=$("$python" -m pip install --quiet --disable-pip-version-check --retries 1 --no-deps --require-hashes \
        --only-binary :all: "${@:3}" -r "$1" 2>&1) ||
        lack "pip cannot install the packages of $1; is there a network? ${log##*$'\n'}"
    cp "$1" "$copy"
}

# Installs the Python packages of a requirement file in a folder of the environment, beside those of the same names.
prepare_older() {
    local folder=.build/integration-python/$1
    cmp -s "$2" "$folder/requirements.txt" || rm -rf "$folder"
    install_requirements "$2" "$1/requirements.txt" --target "$folder"
}

# Replaces the script by a Python program, which runs the programs that were built last.
run() {
    BUILT=${built:-} exec "$python" -B "$@" 9>&-
}
