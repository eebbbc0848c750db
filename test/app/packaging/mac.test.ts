import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

/** What macOS reads of the app: its Info.plist and its entitlements. docs/platforms/macos-app.md has the reasons. */
const repository = join(import.meta.dirname, '..', '..', '..');
const read = (file: string) => readFileSync(join(repository, file), 'utf8');
const { appId, mac, dmg, electronFuses } = z
  .object({
    appId: z.string(),
    mac: z.looseObject({
      target: z.array(z.string()),
      minimumSystemVersion: z.string(),
      hardenedRuntime: z.boolean(),
      entitlements: z.string(),
      entitlementsInherit: z.string(),
      extendInfo: z.looseObject({ LSUIElement: z.boolean() }),
    }),
    dmg: z.object({ sign: z.boolean() }),
    electronFuses: z.looseObject({ resetAdHocDarwinSignature: z.boolean() }),
  })
  .parse(parse(read('electron-builder.yml')));

describe('the app of macOS', () => {
  it('has one identity for each version: the keychain asks no one after an update', () => {
    expect(appId).toBe('dev.lanyard.desktop');
    // Its identity comes from the environment; nothing here may take its place.
    expect(mac).not.toHaveProperty('identity');
    expect(mac.hardenedRuntime).toBe(true);
  });

  it('may do no more than V8 needs', () => {
    expect(mac.entitlementsInherit).toBe(mac.entitlements);
    const keys = read(mac.entitlements).match(/<key>[^<]*<\/key>\s*<true\/>/g);
    expect(keys).toHaveLength(1);
    expect(keys?.[0]).toContain('com.apple.security.cs.allow-jit');
    expect(electronFuses.resetAdHocDarwinSignature).toBe(true);
  });

  it('begins in the menu bar, and what it writes isn’t quarantined', () => {
    expect(mac.extendInfo.LSUIElement).toBe(true);
    // The helper in the home would be, and Gatekeeper would stop it in kubectl.
    expect(mac.extendInfo).not.toHaveProperty('LSFileQuarantineEnabled');
  });

  it('runs where SMAppService is', () => {
    expect(Number.parseInt(mac.minimumSystemVersion, 10)).toBeGreaterThanOrEqual(13);
  });

  it('comes as an image for the user and an archive for updates, for both processors', () => {
    expect(mac.target).toEqual(['dmg', 'zip']);
    // Our binaries hold both: @electron/universal leaves those alone, and needs no list of files of one processor.
    expect(mac).not.toHaveProperty('x64ArchFiles');
    // The ticket is stapled to the app in it. A signed image would need one of its own.
    expect(dmg.sign).toBe(false);
  });
});
