# Prepares the programs for the scripts that deliver to a ClickHouse. Source this file in the repository's folder.
#
# Python packages are installed in .build/integration-python, with the checksums in the requirement files. Debian's
# servers are only unpacked in .build/packages, because installing them would start services.

source "$(dirname "${BASH_SOURCE[0]}")/../bash/build.bash"
script=$(basename "$0")
unset BUILT  # the Python programs run those of .build/release

# One script prepares at a time, until it ends or calls `run`.
mkdir -p .build
exec 9>.build/prepare.lock
! command -v flock >/dev/null || flock 9

# Ends with 69, because this machine lacks something.
lack() {
    printf '%s: %s\n' "$script" "$1" >&2
    exit 69
}

# Runs apt-get as root.
apt() {
    local as_root=()
    ((EUID == 0)) || as_root=(sudo -n)
    "${as_root[@]+"${as_root[@]}"}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@"
}

# Installs missing packages, or ends the script.
require_packages() {
    install_packages "$@" >&2 || lack "cannot install $*; is there a network, and may this user install packages?"
}

# Unpacks packages without installing them, each in its own folder.
unpack_packages() {
    local package folder new=$PWD/.build/packages/new
    for package in "$@"; do
        folder=.build/packages/$package
        [[ ! -d $folder ]] || continue
        echo "$script: unpacks $package"
        rm -rf "$new" && mkdir -p "$new"
        (cd "$new" && { apt-get -qq download "$package" || { apt update && apt-get -qq download "$package"; }; }) \
            >/dev/null 2>&1 || lack "apt-get cannot download $package; is there a network?"
        dpkg-deb -x "$new/$package"_*.deb "$new" && rm "$new"/*.deb && mv "$new" "$folder"
    done
}

# Sets `python` to an interpreter with the packages of requirement files.
prepare_python() {
    local environment=.build/integration-python system file log
    Scripts/bootstrap python3
    system=$(command -v /usr/bin/python3 || command -v python3)
    "$system" -c 'import ensurepip' 2>/dev/null || require_packages python3-venv
    [[ -x $environment/bin/pip ]] || "$system" -m venv --clear "$environment" ||
        lack 'Python cannot create an environment'
    python=$environment/bin/python
    for file in "$@"; do
        cmp -s "$file" "$environment/${file//\//-}" && continue
        echo "$script: installs the Python packages of $file"
        log=$("$python" -m pip install --quiet --disable-pip-version-check --retries 1 --no-deps --require-hashes \
            --only-binary :all: -r "$file" 2>&1) ||
            lack "pip cannot install the packages of $file; is there a network? ${log##*$'\n'}"
        cp "$file" "$environment/${file//\//-}"
    done
}

# Installs the Python packages of a requirement file in a folder of the environment, beside those of the same names.
prepare_older() {
    local folder=$1 file=$2 log
    cmp -s "$file" ".build/integration-python/$folder/requirements.txt" && return
    echo "$script: installs the Python packages of $file"
    rm -rf ".build/integration-python/$folder"
    log=$("$python" -m pip install --quiet --disable-pip-version-check --retries 1 --no-deps --require-hashes \
        --only-binary :all: --target ".build/integration-python/$folder" -r "$file" 2>&1) ||
        lack "pip cannot install the packages of $file; is there a network? ${log##*$'\n'}"
    cp "$file" ".build/integration-python/$folder/requirements.txt"
}

# Replaces the script by a Python program.
run() {
    exec "$python" -B "$@" 9>&-
}
