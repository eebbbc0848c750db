import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { issueClientCertificate } from '../support/certificates.ts';
import { openPluginStage, type PluginStage } from '../support/plugin-stage.ts';
import { credentialIn, until } from '../support/stage.ts';

/** How often a plugin runs for kubectl, and for a client-go that lives on (`kubectl proxy`). */
const names = [
  'hour',
  'short',
  'unending',
  'kept',
  'pair',
  'rejected',
  'revoked',
  'refused',
  'storm',
] as const;
type Name = (typeof names)[number];

/** Outside `--long` the machine is spared. */
const manyKubectl = process.env['LANYARD_LONG'] === '1' ? 100 : 30;

let here: PluginStage<Name>;
beforeAll(async () => {
  here = await openPluginStage(names, {
    kept: { cacheSeconds: 3 },
    // What a caller's variable shaped is not renewed ahead of need: it can end.
    storm: { environment: ['PLUGIN_ANSWER'] },
  });
});
afterAll(() => here?.dispose());
beforeEach(() => {
  here.stage.api.acceptAll();
  here.stage.api.forgetRequests();
});

async function list(name: Name, env: Record<string, string> = {}) {
  const done = await here.getPods(name, { env });
  expect([done.code, done.stderr]).toEqual([0, '']);
}

/** A certificate of the API server's CA, as the plugin prints it. */
async function pair(commonName: string, lifeSeconds: number) {
  const { chainPem, keyPem } = await issueClientCertificate(here.stage.clientCa, {
    commonName,
    notAfter: new Date(Date.now() + lifeSeconds * 1000),
  });
  return { token: null, clientCertificateData: chainPem, clientKeyData: keyPem };
}

describe('KEP-541/caching: the plugin runs only as needed', () => {
  test('one run serves many kubectl, one after the other', async () => {
    for (let call = 0; call < 8; call++) {
      await list('hour');
    }
    expect([here.runs('hour'), here.users()]).toEqual([1, ['hour-1']]);
  });

  test('over several lives it runs once in each, ahead of need, and no kubectl gets an expired one', async () => {
    const lifeSeconds = 5;
    here.plugin('short').answers({ expiresIn: lifeSeconds });
    const from = Date.now();
    let calls = 0;
    for (; here.runs('short') < 4; calls++) {
      await list('short');
    }
    const took = Date.now() - from;
    expect(calls).toBeGreaterThan(8);
    // At the earliest two margins of 10% before its end, in whole seconds.
    expect(here.runs('short')).toBeLessThanOrEqual(Math.ceil(took / ((lifeSeconds * 0.8 - 1) * 1000)) + 1);
    expect(here.stage.api.requests.filter(({ status }) => status !== 200)).toEqual([]);
    here.plugin('short').answers({});
  });

  test('without an expirationTimestamp each process has its own, for its life', async () => {
    here.plugin('unending').answers({ expiresIn: null });
    expect(credentialIn(await here.ask('unending')).expirationTimestamp).toBeUndefined();
    await list('unending');
    await list('unending');
    expect(here.runs('unending')).toBe(3);
    const { running, get } = await here.proxy('unending');
    for (let call = 0; call < 5; call++) {
      expect(await get()).toBe(200);
    }
    await running.dispose();
    expect([here.runs('unending'), here.users()]).toEqual([4, ['unending-2', 'unending-3', 'unending-4']]);
  });

  test('cacheSeconds keeps such an answer for all, and no longer', async () => {
    here.plugin('kept').answers({ expiresIn: null });
    await list('kept');
    expect(credentialIn(await here.ask('kept')).expirationTimestamp).toBeUndefined();
    await list('kept');
    expect([here.runs('kept'), here.users()]).toEqual([1, ['kept-1']]);
    await until(async () => {
      await list('kept');
      return here.users().length > 1 ? true : null;
    }, 'the next run');
    expect(here.users()).toEqual(['kept-1', 'kept-2']);
  });
});

test('KEP-541/caching, KEP-541/new-connections: a certificate is kept as a token is, and a client that lives on uses the renewed one', async () => {
  here.plugin('pair').answers({ ...(await pair('anna', 3600)), expiresIn: 10 });
  await list('pair');
  await list('pair');
  expect([here.runs('pair'), here.users()]).toEqual([1, ['anna']]);
  const { running, get } = await here.proxy('pair');
  expect(await get()).toBe(200);
  here.plugin('pair').answers({ ...(await pair('berta', 3600)), expiresIn: 3600 });
  await until(async () => {
    expect(await get()).toBe(200);
    return here.users().includes('berta') ? true : null;
  }, 'a connection with the renewed certificate');
  expect(await get()).toBe(200);
  expect(here.stage.api.requests.at(-1)).toMatchObject({ via: 'certificate', user: 'berta' });
  expect([here.runs('pair'), here.users()]).toEqual([2, ['anna', 'berta']]);
  await running.dispose();
});

describe('KEP-541/rerun-after-401: after a 401 the plugin is run again before the end that it told', () => {
  test('kubectl', async () => {
    await list('rejected');
    here.stage.api.rejectTokens(here.plugin('rejected').token(1));
    // What kubectl asked before it knew still fails.
    await here.getPods('rejected');
    await list('rejected');
    await list('rejected');
    expect([here.runs('rejected'), here.stage.api.requests.at(-1)?.user]).toEqual([2, 'rejected-2']);
  });

  test('a client that lives on: only the request that was told 401 fails', async () => {
    const { running, get } = await here.proxy('revoked');
    expect([await get(), await get()]).toEqual([200, 200]);
    here.stage.api.rejectTokens(here.plugin('revoked').token(1));
    expect([await get(), await get(), await get()]).toEqual([401, 200, 200]);
    expect([here.runs('revoked'), here.stage.api.requests.at(-1)?.user]).toEqual([2, 'revoked-2']);
    await running.dispose();
  });

  test('a cluster that rejects whatever it is given causes no storm', async () => {
    here.stage.api.rejectAll(true);
    for (let call = 0; call < 6; call++) {
      expect((await here.getPods('refused')).code).toBe(1);
    }
    expect(here.runs('refused')).toBe(2);
  });
});

test(`KEP-541/single-flight: ${manyKubectl} kubectl at once on an expired grant: one run, and all succeed`, async () => {
  const env = { PLUGIN_ANSWER: 'it counts' };
  here.plugin('storm').answers({ expiresIn: 2 });
  const { expirationTimestamp = '' } = credentialIn(await here.ask('storm', { env }));
  here.plugin('storm').answers({});
  here.plugin('storm').does('slow');
  await until(() => (Date.parse(expirationTimestamp) + 1000 < Date.now() ? true : null), 'its end');
  const all = Array.from({ length: manyKubectl }, () =>
    here.getPods('storm', { env, timeoutMilliseconds: 120_000 }),
  );
  const ended = await Promise.all(all);
  expect(ended.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
  expect([here.runs('storm'), here.users()]).toEqual([2, ['storm-2']]);
  expect(here.stage.api.requests.filter(({ path }) => path.endsWith('/pods'))).toHaveLength(manyKubectl);
});
