import { describe, expect, it } from 'vitest';
import { session, withSession } from '../../test/support/vault-parts.ts';
import { Secret } from '../base/secret.ts';
import type { VaultContent } from '../ports/vault.ts';
import { emptyContent, parseContent, serializeContent } from './content.ts';
import { sealGeneration } from './generation.ts';

const content: VaultContent = {
  sessions: { corp: session('refresh'), bare: { ...session('x'), refreshToken: null, token: null } },
  secrets: { bot: { token: new Secret('static') } },
  confirmed: { accounts: { corp: '{}' }, clusters: {}, settings: {} },
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
  it('comes back from its bytes, secrets revealed in the bytes alone', () => {
    const { plain, content: asRead } = serializeContent(content, 3);
    const back = parseContent(plain, 3);
    expect(plain.toString()).toContain('static');
    expect(JSON.stringify(back)).toBe(JSON.stringify(content));
    expect(back?.secrets['bot']?.['token']?.reveal()).toBe('static');
    expect(back?.sessions['corp']?.token?.value.reveal()).toBe('refresh-token');
    expect(back?.backups[0]?.content.reveal()).toBe('H4sI');
    expect(asRead).toEqual(back);
  });

  it('is never written where it could not be read again: larger than a vault may be', () => {
    const large = new Secret('x'.repeat(1024 * 1024));
    const secrets = Object.fromEntries(
      Array.from({ length: 65 }, (_, index) => [`a${index}`, { token: large }]),
    );
    const header = { id: '00000000-0000-4000-8000-000000000000', generation: 2, createdAt: 0, slots: [] };
    expect(() => sealGeneration(header, Buffer.alloc(32), { ...content, secrets })).toThrow(
      expect.objectContaining({ code: 'vault.full' }),
    );
  });

  it('knows its own generation', () => {
    const { plain } = serializeContent(content, 3);
    expect(parseContent(plain, 4)).toBeNull();
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
