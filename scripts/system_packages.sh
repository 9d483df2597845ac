#!/usr/bin/env bash
# What the tests need from the system: Chromium, which plays in the browser tests (its headless shell
# if there is one: it takes a sixth less of the processor), and PostgreSQL, whose server programs the
# database tests start for themselves. Installs what is missing with apt-get where it may, and
# otherwise says what to do. It never stops the tests: those that cannot run are skipped, and say why.
set -u

missing=()
have_browser() {
  command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome ||
    command -v google-chrome-stable
}
have_postgres() {
  command -v initdb || ls /usr/lib/postgresql/*/bin/initdb /usr/local/pgsql/bin/initdb
}
have_browser >/dev/null 2>&1 || missing+=(chromium)
have_postgres >/dev/null 2>&1 || missing+=(postgresql)
[ ${#missing[@]} -eq 0 ] && exit 0

give_up() {
  echo "Some tests will be skipped: ${missing[*]} is not installed, and $1." >&2
  echo "On Debian or Ubuntu: sudo apt-get install ${missing[*]}" >&2
  exit 0
}

command -v apt-get >/dev/null 2>&1 || give_up "there is no apt-get here"
if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
  as_root=(sudo -n)
else
  give_up "that takes root, or sudo without a password"
fi

echo "Installing ${missing[*]} for the tests." >&2
export DEBIAN_FRONTEND=noninteractive
install() {
  local packages="${missing[*]}"
  for packages in "${packages/chromium/chromium-headless-shell}" "$packages"; do
    # shellcheck disable=SC2086 - a word is a package
    "${as_root[@]}" apt-get install --yes --quiet --no-install-recommends $packages >/dev/null &&
      return
  done
  return 1
}
# Where the lists of packages are old or absent, they are fetched first.
install 2>/dev/null || { "${as_root[@]}" apt-get update --quiet >/dev/null && install; } ||
  give_up "apt-get could not install it"
