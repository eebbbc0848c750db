import type { SomeHandlers } from '../sample-calls.ts';
import type { SampleWorld } from '../sample-world.ts';
import { hours, minutes, months, seconds } from '../spans.ts';

export const loginSample = {
  'account.login': async ({ account: name, flow }, { world, progress, wait, onCancel }) => {
    const isToken = world.get('accounts', name)?.kind === 'pkcs11';
    const asked = isToken ? 'pin' : (flow ?? 'browser');
    world.patch('accounts', name, { login: { startedAt: world.time.now(), flow: asked }, wanted: null });
    onCancel(() => world.patch('accounts', name, { login: null }));
    await wait(seconds(0.4));
    if (isToken) {
      progress({ shows: 'pin', token: 'Corp ID', tries: 'low', atPad: false, expiresInSeconds: 300 });
      await wait(seconds(4));
    } else if (asked === 'device') {
      progress({
        shows: 'deviceCode',
        verificationUri: 'https://id.corp.example/device',
        verificationUriComplete: 'https://id.corp.example/device?user_code=WDJB-MJHT',
        userCode: 'WDJB-MJHT',
        expiresInSeconds: 600,
      });
      await wait(seconds(12));
    } else {
      progress({
        shows: 'browserPage',
        url: 'https://id.corp.example/auth?client_id=kubernetes',
        opened: true,
        trouble: null,
        expiresInSeconds: 300,
      });
      await wait(seconds(4));
    }
    const issuer = world.get('accounts', name)?.issuer ?? 'https://id.corp.example';
    loggedIn(world, name);
    return { displayName: 'dev@corp.example', issuer, note: null };
  },
  'account.logout': async ({ account: name }, { world, wait }) => {
    await wait(seconds(0.5));
    world.patch('accounts', name, { state: 'loginNeeded', subject: null, expiresAt: null });
    for (const cluster of world.list('clusters').filter(({ account }) => account === name)) {
      world.patch('clusters', cluster.name, {
        state: 'loginNeeded',
        credential: null,
        problem: `Not logged in to ${name}.`,
      });
    }
    const isToken = world.get('accounts', name)?.kind === 'pkcs11';
    return { message: `Logged out of ${name}.${isToken ? '' : ' The provider has revoked its tokens.'}` };
  },
} satisfies SomeHandlers;

function loggedIn(world: SampleWorld, name: string): void {
  const now = world.time.now();
  const isToken = world.get('accounts', name)?.kind === 'pkcs11';
  const credential = isToken
    ? { kind: 'certificate' as const, issuedAt: now - months(7), expiresAt: now + months(5), renewsAt: null }
    : {
        kind: 'token' as const,
        issuedAt: now,
        expiresAt: now + minutes(60),
        renewsAt: now + minutes(53),
      };
  world.patch('accounts', name, {
    state: 'ready',
    subject: 'dev@corp.example',
    expiresAt: isToken ? credential.expiresAt : now + hours(10),
    problem: null,
    login: null,
    ...(isToken && { issuer: 'Corp ID' }),
  });
  for (const cluster of world.list('clusters').filter(({ account }) => account === name)) {
    world.patch('clusters', cluster.name, {
      state: 'ready',
      problem: null,
      laneVersion: cluster.laneVersion + 1000,
      credential: {
        ...credential,
        trouble: null,
        generation: (cluster.credential?.generation ?? 0) + 1,
      },
    });
  }
}
