import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createStandIn } from '../../test/support/electron/index.ts';
import { identifyOnWindows } from './windows-identity.ts';

const root = join(import.meta.dirname, '..', '..');

it('an installed app has the identity of its installer, and the uninstaller removes its activator', () => {
  const { app } = createStandIn();
  app.isPackaged = true;
  identifyOnWindows(app);
  const config = readFileSync(join(root, 'electron-builder.yml'), 'utf8');
  const script = readFileSync(join(root, 'app', 'package', 'windows', 'installer.nsh'), 'utf8');
  expect(/^appId: (.+)$/m.exec(config)?.[1]).toBe(app.userModelId);
  expect(/^ *DeleteRegKey HKCU "Software\\Classes\\CLSID\\(.+)"$/m.exec(script)?.[1]).toBe(
    app.toastActivator,
  );
  expect(app.givenName).toBeNull();
});

it('one from its sources has neither the id nor the shortcut of the installed one', () => {
  const { app } = createStandIn();
  identifyOnWindows(app);
  expect([app.userModelId, app.toastActivator]).toEqual(['dev.lanyard.desktop.sources', null]);
  expect(app.givenName).not.toBe('Lanyard');
});
