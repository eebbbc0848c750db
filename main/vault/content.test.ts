import { describe, expect, it } from 'vitest';
import { session, withSession } from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import { noTexts } from '../domain/testing/no-entries.ts';
import type { VaultContent } from '../ports/vault.ts';
import { emptyContent, parseContent, serializeContent } from './content.ts';
import { sealGeneration, withStaleSessions } from './generation.ts';

const content: VaultContent = {
  sessions: { corp: session('refresh'), bare: { ...session('x'), refreshToken: null, token: null } },
  secrets: { bot: { token: new Secret('static') } },
  confirmed: {
    ...noTexts,
    accounts: { corp: '{}' },
    settings: {},
    programs: { eks: { path: '/bin/aws', sha256: 'ab' } },
    forms: noTexts,
  },
  registryLogins: {
    'ghcr.io': { serverUrl: 'https://ghcr.io', userName: '<token>', secret: new Secret('stored') },
  },
  dockerConfigs: {
    '/home/a/.docker/config.json': {
      at: 1,
      mode: 0o600,
      before: new Secret('{"auths":{}}'),
      written: ['ab'],
      credsStore: true,
      credHelpers: ['ghcr.io'],
    },
    '/home/b/.docker/config.json': {
      at: 2,
      mode: 0o600,
      before: null,
      written: [],
      credsStore: false,
      credHelpers: [],
    },
  },
  backups: [
    {
      id: 'b1',
      file: '/home/a/.kube/config',
      at: 1,
      mode: 0o600,
      content: new Secret('H4sI'),
      writtenDigest: 'ab',
    },
  ],
};

describe('the vault’s content', () => {
  it('holds whom the UI’s pages were let in as, while there are any', () => {
    const ui = { port: 4711, sessions: [{ id: 'page', secret: new Secret('page-secret'), goodUntil: 9 }] };
    const { plain, content: asRead } = serializeContent({ ...content, ui }, 3);
    expect(parseContent(plain, 3)?.ui?.sessions[0]?.secret.reveal()).toBe('page-secret');
    expect(asRead.ui).toEqual(ui);
    const next = serializeContent({ ...asRead, secrets: {} }, 4, asRead);
    expect([next.content.ui, parseContent(next.plain, 4)?.ui]).toEqual([ui, ui]);
    const { ui: _, ...without } = asRead;
    const last = serializeContent(without, 5, asRead);
    expect(Object.hasOwn(last.content, 'ui')).toBe(false);
    expect(last.plain.toString()).not.toContain('page');
    expect(withStaleSessions(asRead)).not.toHaveProperty('ui');
  });

  it('of an older generation has the request proxy’s keys, and approves each way in anew', () => {
    const requestProxy = {
      port: 41_000,
      authority: { certificate: 'PEM', key: new Secret('ca-key') },
      key: new Secret('way-in'),
      epochs: { prod: 'random' },
    };
    const { content: asRead } = serializeContent({ ...content, requestProxy }, 3);
    const restored = withStaleSessions(asRead).requestProxy;
    expect(restored).toEqual({ ...requestProxy, epochs: { prod: expect.stringMatching(/^[\w-]{12}$/) } });
  });

  it('comes back from its bytes, secrets revealed in the bytes alone', () => {
    const { plain, content: asRead } = serializeContent(content, 3);
    const back = parseContent(plain, 3);
    expect(plain.toString()).toContain('static');
    expect(JSON.stringify(back)).toBe(JSON.stringify(content));
    expect(back?.secrets['bot']?.['token']?.reveal()).toBe('static');
    expect(back?.sessions['corp']?.token?.value.reveal()).toBe('refresh-token');
    expect(back?.sessions['corp']?.accessToken?.value.reveal()).toBe('refresh-access');
    expect(back?.backups[0]?.content.reveal()).toBe('H4sI');
    expect(back?.registryLogins['ghcr.io']?.secret.reveal()).toBe('stored');
    expect(back?.dockerConfigs['/home/a/.docker/config.json']?.before?.reveal()).toBe('{"auths":{}}');
    expect(asRead).toEqual(back);
  });

  it('is never written where it could not be read again: larger than a vault may be', () => {
    const large = new Secret('x'.repeat(1024 * 1024));
    const secrets = Object.fromEntries(
      Array.from({ length: 65 }, (_, index) => [`a${index}`, { token: large }]),
    );
    const header = { id: '00000000-0000-4000-8000-000000000000', generation: 2, createdAt: 0, slots: [] };
    expect(() =>
      sealGeneration(header, Buffer.alloc(32), { ...content, secrets }, { ...content, secrets }),
    ).toThrow(
      expect.objectContaining({ code: 'vault.full', hint: expect.stringContaining('docker logout') }),
    );
  });

  it('knows its own generation', () => {
    const { plain } = serializeContent(content, 3);
    expect(parseContent(plain, 4)).toBeNull();
  });

  it('is readable from before programs, settings and backups were kept in it', () => {
    const older = {
      generation: 3,
      sessions: {},
      secrets: {},
      confirmed: { accounts: { a: '{}' }, clusters: {} },
    };
    expect(parseContent(Buffer.from(JSON.stringify(older)), 3)).toEqual({
      ...emptyContent,
      confirmed: { ...emptyContent.confirmed, accounts: { a: '{}' } },
    });
  });

  it('names no stored entries or docker configurations where there are none: a Lanyard that doesn’t know them reads it, too', () => {
    const { plain } = serializeContent({ ...content, registryLogins: {}, dockerConfigs: {} }, 3);
    for (const name of ['registryLogins', 'dockerConfigs'] as const) {
      expect(JSON.parse(plain.toString())).not.toHaveProperty(name);
      expect(parseContent(plain, 3)?.[name]).toEqual({});
    }
  });

  it('names a group of a later kind only where it has entries: a Lanyard that doesn’t know the kind reads it, too', () => {
    const confirmedIn = (confirmed: Partial<VaultContent['confirmed']>) => {
      const { plain } = serializeContent(
        { ...emptyContent, confirmed: { ...emptyContent.confirmed, ...confirmed } },
        3,
      );
      expect(parseContent(plain, 3)?.confirmed).toEqual({ ...emptyContent.confirmed, ...confirmed });
      return JSON.parse(plain.toString()).confirmed;
    };
    const before = { accounts: {}, clusters: {} };
    const others = { settings: {}, programs: {} };
    expect(confirmedIn({})).toEqual({ ...before, ...others, forms: before });
    const registries = { work: '{}' };
    expect(confirmedIn({ registries })).toEqual({ ...before, registries, ...others, forms: before });
    const forms = { ...noTexts, registries };
    expect(confirmedIn({ forms })).toEqual({ ...before, ...others, forms: { ...before, registries } });
  });

  it('keeps why the provider ended a session, and reads sessions from before that was kept', () => {
    const ended = { why: 'ended', said: 'Session not active', at: 9 } as const;
    const { plain } = serializeContent({ ...content, sessions: { corp: { ...session('x'), ended } } }, 3);
    expect(parseContent(plain, 3)?.sessions['corp']?.ended).toEqual(ended);
    const older = JSON.parse(plain.toString());
    delete older.sessions.corp.ended;
    expect(parseContent(Buffer.from(JSON.stringify(older)), 3)?.sessions['corp']?.ended).toBeNull();
  });

  it('refuses what a newer Lanyard added, for the next write would drop it', () => {
    const { plain } = serializeContent(content, 3);
    const newer = { ...JSON.parse(plain.toString()), leases: {} };
    expect(parseContent(Buffer.from(JSON.stringify(newer)), 3)).toBeNull();
  });

  it('writes nothing that it could not read back, and does not quote it', () => {
    const odd = { ...content, sessions: { corp: { ...session('canary'), loggedInAt: Number.NaN } } };
    expect(() => serializeContent(odd, 3)).toThrow('wrong shape');
    try {
      serializeContent(odd, 3);
    } catch (error) {
      expect(String(error) + JSON.stringify(error)).not.toContain('canary');
    }
  });

  describe('of which an earlier reading is known', () => {
    const known = () => serializeContent(content, 3).content;
    const second = { id: 'b2', file: '/f "quoted"', at: 2, mode: 0o644, writtenDigest: 'cd' };

    it('is the same, with the parts that were read back already', () => {
      const before = known();
      const next: VaultContent = {
        ...before,
        sessions: { ...before.sessions, corp: session('rotated'), new: session('new') },
        secrets: { other: { token: new Secret('o') }, ...before.secrets },
        registryLogins: {
          'quay.io': { serverUrl: 'quay.io', userName: 'q', secret: new Secret('s') },
          ...before.registryLogins,
        },
        backups: [{ ...second, content: new Secret('AAAA') }, ...before.backups],
      };
      const { plain, content: asRead } = serializeContent(next, 4, before);
      expect(JSON.stringify(asRead)).toBe(JSON.stringify(parseContent(plain, 4)));
      expect(parseContent(plain, 4)).toEqual(serializeContent(next, 4).content);
      expect(asRead.sessions['corp']?.refreshToken?.reveal()).toBe('rotated');
      expect(asRead.backups.map((each) => each.content.reveal())).toEqual(['AAAA', 'H4sI']);
      expect(asRead.sessions['bare']).toBe(before.sessions['bare']);
      expect(asRead.secrets['bot']).toBe(before.secrets['bot']);
      expect(asRead.registryLogins['ghcr.io']).toBe(before.registryLogins['ghcr.io']);
      expect(asRead.registryLogins['quay.io']?.secret.reveal()).toBe('s');
      expect(asRead.dockerConfigs).toBe(before.dockerConfigs);
      expect(asRead.confirmed).toBe(before.confirmed);
      expect(asRead.backups[1]).toBe(before.backups[0]);
    });

    it('is without what was taken out', () => {
      const before = known();
      const next = {
        ...before,
        sessions: {},
        secrets: {},
        registryLogins: {},
        dockerConfigs: {},
        backups: [],
      };
      const { plain, content: asRead } = serializeContent(next, 4, before);
      expect(parseContent(plain, 4)).toEqual({ ...next, confirmed: before.confirmed });
      expect(asRead).toEqual(parseContent(plain, 4));
    });

    it('is not written where a changed part could not be read back', () => {
      const before = known();
      for (const change of [
        { sessions: { ...before.sessions, bad: { ...session('x'), generation: 0 } } },
        { secrets: { ...before.secrets, bad: { token: new Secret(1 as never) } } },
        { registryLogins: { ...before.registryLogins, bad: { secret: new Secret('x') } as never } },
        { dockerConfigs: { ...before.dockerConfigs, bad: { written: [], credHelpers: [] } as never } },
        { confirmed: { ...before.confirmed, accounts: { bad: 1 as never } } },
        { confirmed: { ...before.confirmed, programs: { bad: { path: '/x' } as never } } },
        { backups: [...before.backups, { ...second, content: new Secret('no "base64"') }] },
      ]) {
        expect(() => serializeContent({ ...before, ...change }, 4, before)).toThrow('wrong shape');
      }
    });

    it('can’t be changed in place either', () => {
      const before = known();
      const { content: asRead } = serializeContent({ ...before, sessions: { a: session('a') } }, 4, before);
      expect([asRead, asRead.sessions, asRead.backups, asRead.backups[0]].every(Object.isFrozen)).toBe(true);
    });
  });

  it('can’t be changed in place', () => {
    const { content: asRead } = serializeContent(withSession('r')(emptyContent), 1);
    const corp = asRead.sessions['corp'];
    expect(() => {
      if (corp) {
        corp.stale = true;
      }
    }).toThrow(TypeError);
  });
});
