#!/bin/sh
# After the files are there. Says nothing and never fails over what a system doesn't have.
set -u
app='/opt/${sanitizedProductName}'

ln -sf "$app/${executable}" '/usr/bin/${executable}'

# Chromium's sandbox: by user namespaces where the kernel lets everybody have them, else by a setuid program. An
# AppArmor that restricts them (Ubuntu 23.10 and later) lets the app have them by its profile. Trying it out here would
# say nothing: root has them always.
profile='/etc/apparmor.d/${executable}'
if [ -d /etc/apparmor.d ] && command -v apparmor_parser >/dev/null 2>&1 &&
  apparmor_parser --skip-kernel-load --debug "$app/resources/apparmor-profile" >/dev/null 2>&1; then
  cp -f "$app/resources/apparmor-profile" "$profile"
  # An image that is being made has no kernel of its own to tell.
  if ! { [ -x /usr/bin/ischroot ] && /usr/bin/ischroot; }; then
    apparmor_parser --replace --write-cache --skip-read-cache "$profile" >/dev/null 2>&1 || true
  fi
fi
says() { [ "$(cat "/proc/sys/$1" 2>/dev/null)" = "$2" ]; }
if says kernel/unprivileged_userns_clone 0 || says user/max_user_namespaces 0 || [ ! -L /proc/self/ns/user ] ||
  { says kernel/apparmor_restrict_unprivileged_userns 1 && [ ! -f "$profile" ]; }; then
  chmod 4755 "$app/chrome-sandbox" || true
else
  chmod 0755 "$app/chrome-sandbox" || true
fi

if command -v update-desktop-database >/dev/null 2>&1; then
  update-desktop-database /usr/share/applications >/dev/null 2>&1 || true
fi
if command -v gtk-update-icon-cache >/dev/null 2>&1; then
  gtk-update-icon-cache --quiet /usr/share/icons/hicolor >/dev/null 2>&1 || true
fi
exit 0
