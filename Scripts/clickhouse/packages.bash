# The system packages for Scripts/integration: from apt, and from PyPI in a separate environment.

# Runs apt-get as root.
apt() {
    local as_root=()
    ((EUID == 0)) || as_root=(sudo -n)
    "${as_root[@]+"${as_root[@]}"}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120 "$@"
}

refreshed=''
refresh_packages() {
    [[ -n $refreshed ]] || apt update >/dev/null || fail 'apt-get update failed'
    refreshed=yes
}

# Installs missing packages. Quick if none is missing.
install_packages() {
    local package log missing=()
    command -v apt-get >/dev/null || fail "this needs apt-get, to install: $*"
    for package in "$@"; do
        [[ $(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) == installed ]] || missing+=("$package")
    done
    ((${#missing[@]} > 0)) || return 0
    echo "integration: installs ${missing[*]}"
    refresh_packages
    log=$(apt install -y --no-install-recommends "${missing[@]}" 2>&1) || fail "cannot install ${missing[*]}: $log"
}

# Sets `python` to an interpreter with the packages of a file. pip checks the checksums in that file.
prepare_python() {
    local environment=.build/integration-python
    install_packages python3 python3-venv
    [[ -x $environment/bin/python ]] || /usr/bin/python3 -m venv "$environment"
    python=$environment/bin/python
    "$python" -m pip install --quiet --disable-pip-version-check --require-hashes --only-binary :all: -r "$1" ||
        fail "pip cannot install the packages of $1"
}
