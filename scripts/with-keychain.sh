#!/usr/bin/env bash
# Runs a command with its own real, unlocked Secret Service: scripts/with-keychain.sh npx vitest run
# Needs Debian's `gnome-keyring` and `dbus`. Its keyring lives in a temporary folder and is removed afterward.
set -euo pipefail

if [ "$#" -eq 0 ]; then
  echo "usage: $0 COMMAND [ARGUMENT...]" >&2
  exit 2
fi
for program in dbus-run-session dbus-send gnome-keyring-daemon; do
  if ! command -v "$program" >/dev/null; then
    echo "$0: $program is missing; install it with: apt-get install gnome-keyring dbus" >&2
    exit 127
  fi
done

home="$(mktemp -d)"
# The daemon ends with its bus.
trap 'rm -rf "$home" || true' EXIT
mkdir -p "$home/data" "$home/run" "$home/services"
chmod 700 "$home/run"

# Only the keyring daemon gets the temporary HOME: the command keeps its own (npm's cache, the browser's profile).
cat >"$home/daemon" <<DAEMON
#!/bin/sh
export HOME="$home" XDG_DATA_HOME="$home/data" XDG_RUNTIME_DIR="$home/run"
printf pw | gnome-keyring-daemon --foreground --unlock --components=secrets >>"$home/daemon.log" 2>&1
DAEMON
chmod 700 "$home/daemon"

# Started by the bus when it is first asked, and again should it end (gnome-keyring 42 does, at times); always unlocked.
printf '[D-BUS Service]\nName=org.freedesktop.secrets\nExec=%s\n' "$home/daemon" \
  >"$home/services/org.freedesktop.secrets.service"
cat >"$home/bus.conf" <<CONFIGURATION
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>unix:tmpdir=/tmp</listen>
  <servicedir>$home/services</servicedir>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
CONFIGURATION

KEYCHAIN_LOG="$home/daemon.log" dbus-run-session --config-file="$home/bus.conf" -- bash -c '
  set -euo pipefail
  if ! dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \
    org.freedesktop.DBus.Peer.Ping >/dev/null; then
    echo "with-keychain: the Secret Service did not start:" >&2
    cat "$KEYCHAIN_LOG" >&2
    exit 1
  fi
  export TEST_KEYRING=1
  "$@"
' with-keychain "$@"
