import { expect, test } from 'vitest';
import { noRefreshToken, refreshTokenNote } from './refresh-token-note.ts';

const note = (issuer: string, scopes: string[], has: boolean) =>
  refreshTokenNote('corp', { issuer, clientId: 'kubernetes', scopes }, has);

test('a missing refresh token is explained where one was asked for', () => {
  const said = note('https://id.example.com', ['openid', 'offline_access'], false);
  expect(said).toMatch(
    /^id\.example\.com gave no refresh token, though offline_access was asked for, so corp needs a new login/,
  );
  expect(said).toContain('offline_access');
  expect(said).toContain('the client kubernetes');
  expect(note('https://id.example.com', ['openid', 'offline_access'], true)).toBeNull();
  expect(note('https://id.example.com', ['openid'], false)).toBeNull();
});

test('Google has its own way', () => {
  const said = note('https://accounts.google.com', ['openid'], false);
  expect(said).toContain('{ access_type: offline, prompt: consent }');
  expect(note('https://accounts.google.com', ['openid'], true)).toBeNull();
});

test('its scopes never asked: the account says so, and a login says nothing', () => {
  const asking = { issuer: 'https://id.example.com', clientId: 'kubernetes', scopes: ['openid'] };
  expect(noRefreshToken('corp', asking)).toMatchObject({
    why: expect.stringContaining('don’t have offline_access'),
    remedy: expect.stringContaining('add offline_access to the scopes of corp'),
  });
});
