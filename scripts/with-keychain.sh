#!/usr/bin/env bash
# Runs a command with its own real, unlocked Secret Service: scripts/with-keychain.sh npx vitest run
# Needs Debian's `gnome-keyring` and `dbus`. Its keyring lives in a temporary folder and is removed afterward.
set -euo pipefail

if [ "$#" -eq 0 ]; then
  echo "usage: $0 COMMAND [ARGUMENT...]" >&2
  exit 2
fi
for program in dbus-run-session gnome-keyring-daemon; do
  if ! command -v "$program" >/dev/null; then
    echo "$0: $program is missing; install it with: apt-get install gnome-keyring dbus" >&2
    exit 127
  fi
done

home="$(mktemp -d)"
cleanup() {
  if [ -s "$home/daemon.pid" ]; then kill "$(cat "$home/daemon.pid")" 2>/dev/null || true; fi
  rm -rf "$home"
}
trap cleanup EXIT

# Only the keyring daemon gets the temporary HOME: the command keeps its own (npm's cache, the browser's profile).
KEYCHAIN_HOME="$home" dbus-run-session -- bash -c '
  set -euo pipefail
  mkdir -p "$KEYCHAIN_HOME/data" "$KEYCHAIN_HOME/run"
  chmod 700 "$KEYCHAIN_HOME/run"
  # Explicit variables: the daemon writes its keyring under XDG_DATA_HOME and its sockets under XDG_RUNTIME_DIR.
  echo -n "pw" | HOME="$KEYCHAIN_HOME" XDG_DATA_HOME="$KEYCHAIN_HOME/data" XDG_RUNTIME_DIR="$KEYCHAIN_HOME/run" \
    gnome-keyring-daemon --foreground --unlock --components=secrets >/dev/null 2>"$KEYCHAIN_HOME/daemon.log" &
  echo "$!" > "$KEYCHAIN_HOME/daemon.pid"
  for _ in $(seq 100); do
    if dbus-send --session --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner \
      string:org.freedesktop.secrets 2>/dev/null | grep -q "boolean true"; then ready=yes; break; fi
    sleep 0.05
  done
  if [ "${ready:-no}" != yes ]; then
    echo "with-keychain: the Secret Service did not start:" >&2
    cat "$KEYCHAIN_HOME/daemon.log" >&2
    exit 1
  fi
  export TEST_KEYRING=1
  "$@"
' with-keychain "$@"
