import type { AppSession } from '../electron.ts';

/** Denies pages of this session all that Chromium asks permission for: permissions, devices, screens. */
export function refusePermissions(session: AppSession): void {
  session.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
  session.setBluetoothPairingHandler((_details, answer) => answer({ confirmed: false }));
  // Unchanged: all USB classes stay protected.
  session.setUSBProtectedClassesHandler(({ protectedClasses }) => protectedClasses);
  session.setSpellCheckerEnabled(false);
  // Without a listener, Chromium would choose the first device itself.
  session.on('select-hid-device', (event, _details, choose) => {
    event.preventDefault();
    choose(null);
  });
  session.on('select-serial-port', (event, _ports, _contents, choose) => {
    event.preventDefault();
    choose('');
  });
  session.on('select-usb-device', (event, _details, choose) => {
    event.preventDefault();
    choose();
  });
}
