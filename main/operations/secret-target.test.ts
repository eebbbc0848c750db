import { describe, expect, it } from 'vitest';
import { secretTarget } from './secret-target.ts';

const env = (...names: string[]) => names.map((name) => ({ name }));
const accounts = new Map(
  Object.entries({
    corp: { oidc: {} },
    bot: { staticToken: {} },
    ops: { clientCertificate: {} },
    eks: { execPlugin: { env: [...env('TOKEN'), { name: 'REGION', value: 'eu' }] } },
    'eks/prod': { execPlugin: { env: env('A', 'B', 'A') } },
    bare: { execPlugin: { env: [] } },
    work: { aws: { profile: 'work' } },
    tokens: { awsEks: { account: 'work', cluster: 'prod', region: 'eu-west-1' } },
    card: { pkcs11: { module: '/lib/p11.so', env: [] } },
    fleet: { secretReader: { cluster: 'hub', namespace: 'fleet' } },
  }).map(([name, config]) => [name, { name, config }]),
);
const target = (word: string) => secretTarget(word, { current: () => ({ accounts }) as never });

describe('what a secret is set for', () => {
  it.each<[word: string, account: string, part: string | null]>([
    ['corp', 'corp', 'clientSecret'],
    ['corp/clientKey', 'corp', 'clientKey'],
    ['bot', 'bot', 'token'],
    ['ops', 'ops', null],
    ['ops/key', 'ops', 'key'],
    ['eks', 'eks', 'env.TOKEN'],
    ['eks/env.TOKEN', 'eks', 'env.TOKEN'],
    ['eks/prod/env.B', 'eks/prod', 'env.B'],
  ])('%s', (word, account, part) => {
    expect(target(word)).toEqual({ account, part });
  });

  it.each<[word: string, message: string]>([
    ['eks/env.OTHER', 'eks has no env.OTHER; it has env.TOKEN'],
    ['eks/env.REGION', 'eks has no env.REGION; it has env.TOKEN'],
    ['eks/TOKEN', 'eks has no TOKEN; it has env.TOKEN'],
    ['eks/token', 'eks has no token; it has env.TOKEN'],
    ['eks/prod', 'say which: eks/prod/env.A or eks/prod/env.B'],
    ['bare', 'bare has no variable (env) without a value in config.yaml'],
    ['bare/env.A', 'bare has no variable (env) without a value in config.yaml'],
    ['fleet', 'fleet has no secrets in the vault: it reads them at its hub'],
    ['work', 'work has no secrets in the vault: its keys come from a file'],
    ['tokens', 'tokens has no secrets in the vault: its tokens are made of the keys of work'],
    ['card', 'card has no secrets in the vault: its key stays on its token, and Lanyard asks for the PIN'],
    ['fleet/token', 'fleet has no secrets in the vault: it reads them at its hub'],
    ['bot/env.A', 'bot has no env.A; it has token'],
  ])('%s is refused', (word, message) => {
    expect(() => target(word)).toThrow(message);
  });

  it('a PIN is given by logging in', () => {
    expect(() => target('card/pin')).toThrow(expect.objectContaining({ hint: 'lanyard login card' }));
  });
});
