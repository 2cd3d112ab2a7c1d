# Finds a Chromium for the scripts that test pages, or installs Debian's. Source this file in the repository's root.
# CHROMIUM can name a browser to use.

# Ends the script with code 69 and prints the reason why it has not run.
unavailable() {
    printf '%s: NOT RUN: %s\n' "$(basename "$0")" "$1" >&2
    exit 69
}

# Prints the path of the first browser with one of the usual names.
browser() {
    local name
    for name in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome \
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'; do
        command -v "$name" && return
    done
    return 1
}

install_browser() {
    local as_root=()
    command -v apt-get >/dev/null || return 1
    if ((EUID != 0)); then
        sudo -n true 2>/dev/null || return 1
        as_root=(sudo -n)
    fi
    echo "$(basename "$0"): installs chromium" >&2
    local apt=("${as_root[@]+"${as_root[@]}"}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=120)
    { "${apt[@]}" install -y --no-install-recommends chromium ||
        { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends chromium; }; } >/dev/null 2>&1
}

# Sets `chromium` to the path of a browser.
find_browser() {
    command -v python3 >/dev/null || unavailable 'there is no python3, which drives the browser'
    chromium=$(browser) || { install_browser && chromium=$(browser); } ||
        unavailable 'there is no Chromium, and it cannot be installed here; CHROMIUM=PATH names one'
}
