import { expect, test } from 'vitest';
import { HttpFailure } from '../platform/network/http-failure.ts';
import type { RegistryVerdict } from '../registries/registry-question.ts';
import { registryAnswer } from './registry-answer.ts';

const of = { registry: 'ghcr', account: 'bot', host: 'ghcr.io', image: 'ghcr.io/team/app' };
const registry = { host: 'ghcr.io', isTokenServer: false };
const tokens = { host: 'auth.example.com', isTokenServer: true };

test.each<[verdict: RegistryVerdict, outcome: string, message: RegExp, hint: RegExp | null]>([
  [
    { kind: 'accepted', tokenServer: null, image: null },
    'accepted',
    /^ghcr\.io accepts the credential of bot$/,
    null,
  ],
  [{ kind: 'accepted', tokenServer: null, image: 'found' }, 'accepted', /, and lets it pull ghcr/, null],
  [{ kind: 'accepted', tokenServer: null, image: 'missing' }, 'accepted', /; it has no ghcr/, null],
  [
    { kind: 'rejected', by: registry, status: 401 },
    'rejected',
    /^ghcr\.io rejects .*\(401\)$/,
    /secret set bot/,
  ],
  [
    { kind: 'rejected', by: tokens, status: 403 },
    'rejected',
    /^auth\.example\.com, the token server of ghcr\.io, rejects .*\(403\)$/,
    /secret set bot/,
  ],
  [
    { kind: 'noAccess', by: registry, status: 403 },
    'noAccess',
    /may not pull ghcr\.io\/team\/app \(403\)/,
    /name/,
  ],
  [{ kind: 'open' }, 'open', /was not tested/, /lanyard registry test ghcr IMAGE/],
  [
    { kind: 'unreachable', by: registry, failure: new HttpFailure('unknownHost', false) },
    'unreachable',
    /^ghcr\.io can’t be resolved/,
    /network/,
  ],
  [
    { kind: 'unreachable', by: tokens, failure: new HttpFailure('closedAddress', false) },
    'unreachable',
    /has an address of this machine/,
    null,
  ],
  [
    { kind: 'unreachable', by: registry, failure: new HttpFailure('unknownAuthority', false) },
    'unreachable',
    /unknown authority/,
    /its CA/,
  ],
  [
    {
      kind: 'unreachable',
      by: registry,
      failure: new HttpFailure('proxyLogin', false, 407, { proxy: 'p:3128' }),
    },
    'unreachable',
    /the proxy p:3128/,
    /HTTPS_PROXY/,
  ],
  [{ kind: 'redirected', by: registry }, 'untrusted', /no redirect is followed/, /matchImages of ghcr/],
  [{ kind: 'redirected', by: tokens }, 'untrusted', /^auth\.example\.com, the token server/, null],
  [
    { kind: 'untrusted', fault: 'unapproved', authority: 'evil.example' },
    'untrusted',
    /at another host, evil\.example, .*was not sent$/,
    /tokenServers of ghcr/,
  ],
  [
    { kind: 'untrusted', fault: 'http', authority: 'a:80' },
    'untrusted',
    /without TLS: http:\/\/a:80/,
    /operator/,
  ],
  [
    { kind: 'untrusted', fault: 'closedAddress', authority: '127.0.0.1' },
    'untrusted',
    /this machine/,
    /operator/,
  ],
  [{ kind: 'untrusted', fault: 'userInfo', authority: 'a' }, 'untrusted', /user name in its URL/, /operator/],
  [{ kind: 'untrusted', fault: 'notUrl', authority: null }, 'untrusted', /no token server/, /operator/],
  [{ kind: 'identityToken', by: registry }, 'rejected', /no identity token/, /help account add/],
  [{ kind: 'noRegistry', status: 404 }, 'unclear', /is no registry/, /matchImages/],
  [{ kind: 'noChallenge' }, 'unclear', /names no token server/, null],
  [{ kind: 'noToken', by: tokens }, 'unclear', /no token that can be used/, null],
  [{ kind: 'unclear', by: registry, status: 429 }, 'unclear', /429/, /later/],
  [{ kind: 'unclear', by: registry, status: 418 }, 'unclear', /418/, null],
])('%j', (verdict, outcome, message, hint) => {
  const replacedBy = { command: 'secret set', words: ['bot'] } as const;
  const answer = registryAnswer(verdict, { ...of, replacedBy });
  expect(answer).toMatchObject({ outcome, message: expect.stringMatching(message) });
  expect(answer.hint).toEqual(hint === null ? null : expect.stringMatching(hint));
});
