#!/bin/sh
# After the files are gone. dpkg says "remove" or "purge" ("upgrade" before a newer version), rpm how many are left.
set -u
case "${1:-remove}" in
remove | purge | 0) ;;
*) exit 0 ;;
esac

if [ -L '/usr/bin/${executable}' ]; then
  rm -f '/usr/bin/${executable}'
fi
profile='/etc/apparmor.d/${executable}'
if [ -f "$profile" ]; then
  if command -v apparmor_parser >/dev/null 2>&1 && ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --remove "$profile" >/dev/null 2>&1 || true
  fi
  rm -f "$profile"
fi
if command -v update-desktop-database >/dev/null 2>&1; then
  update-desktop-database /usr/share/applications >/dev/null 2>&1 || true
fi
exit 0
