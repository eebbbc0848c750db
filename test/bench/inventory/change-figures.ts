import { readFileSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createCa } from '../../support/certificates.ts';
import { InventoryHub } from '../../support/inventory-hub.ts';
import { startKubernetesApi } from '../../support/kubernetes-api.ts';
import { startOnTerminal } from '../../support/pty.ts';
import { type Figure, type Figures, failures } from '../figure.ts';
import { startOwnBroker } from '../own-broker.ts';
import { quantile } from '../statistics.ts';
import { fullProfile } from './full-profile.ts';

export interface ChangeOptions {
  /** How often each change is timed. */
  rounds: number;
  profiles: number;
  /** In use, so that their contexts are in the kubeconfig. */
  used: number;
}

const hubToken = 'the-token-of-the-hub';
/** A trusted cluster moves ten times at once, and then waits. Each round takes others. */
const waitMilliseconds = 60_000;
/** After the last write of a burst, in which another would come. */
const quietMilliseconds = 2_000;

/** From a write at a hub until the managed kubeconfig is on disk with it, at a whole broker. */
export async function* changeFigures({ rounds, profiles, used }: ChangeOptions): Figures {
  const hub = new InventoryHub();
  const ca = await createCa('bench');
  const isUsed = (number: number) => number < used;
  const profileAt = (number: number, server: string | null = null) => {
    const profile = fullProfile(number, { server, certificateAuthorityPem: ca.certificatePem });
    return {
      ...profile,
      metadata: { ...profile.metadata, labels: { tier: isUsed(number) ? 'used' : 'other' } },
    };
  };
  hub.put(...Array.from({ length: profiles }, (_, number) => profileAt(number)));
  const api = await startKubernetesApi({
    ca,
    staticTokens: { [hubToken]: { name: 'bench', groups: [] } },
    more: hub,
  });
  try {
    await using broker = await startOwnBroker((home) => {
      const certificateAuthority = home.write('hub.pem', api.caPem);
      home.writeConfig({
        version: 1,
        accounts: { bot: { staticToken: { file: home.write('token', hubToken) } } },
        clusters: { hub: { server: api.server, certificateAuthority, account: 'bot' } },
        inventories: {
          fleet: {
            cluster: 'hub',
            providers: [{ name: 'google', account: 'bot' }],
            servers: ['*.example.com'],
            contexts: used,
            trusted: true,
          },
        },
      });
    });
    const { home } = broker;
    await waitFor(async () => (await home.lanyard(['inventory', 'list'])).stderr.includes('live'), 'the hub');
    const terminal = startOnTerminal(home.file('helper'), ['inventory', 'use', '--selector', 'tier=used'], {
      env: home.env,
    });
    await terminal.waitForText(/\? \[y/, waitMilliseconds);
    terminal.send('yes\r');
    await terminal.waitForText(/Enter for neither/, waitMilliseconds);
    terminal.send('\r');
    await terminal.ended;
    const file = home.file('kubeconfig');
    const has = (text: string) => async () => readFileSync(file, 'utf8').includes(text);
    await waitFor(has(`cluster-${'0'.repeat(5)}`), 'the kubeconfig');

    const changed: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const server = `https://moved-${round}.example.com`;
      hub.put(profileAt(round % used, server));
      changed.push(await millisecondsUntil(has(server)));
    }
    const of = `${profiles} profiles, ${used} in use`;
    yield atMost(`a changed profile of ${of}, until it is in the kubeconfig`, changed);

    const bursts: number[] = [];
    for (let round = 0; round < Math.min(rounds, 5); round++) {
      let renames = 0;
      using _watching = closing(
        watch(dirname(file), (event, name) => {
          renames += event === 'rename' && name === 'kubeconfig' ? 1 : 0;
        }),
      );
      const domain = `burst-${round}.example.com`;
      // As a hub tells of a rollout: not in one piece.
      for (let number = 0; number < used; number++) {
        hub.put(profileAt(number, `https://c-${number}.${domain}`));
        if (number % 20 === 0) {
          await delay(5);
        }
      }
      await waitFor(
        async () => readFileSync(file, 'utf8').split(domain).length - 1 >= used,
        `the burst of ${used}`,
      );
      await delay(quietMilliseconds);
      bursts.push(renames);
    }
    yield {
      what: `writes of the kubeconfig for ${used} changes at once: the most`,
      value: Math.max(...bursts),
      unit: 'writes',
      reference: null,
      limit: { kind: 'atMost', value: 1 },
    };
    yield failures('bursts that wrote no kubeconfig', bursts.filter((count) => count === 0).length);

    const removed: number[] = [];
    for (let round = 0; round < Math.min(rounds, used); round++) {
      const { namespace, name } = profileAt(round).metadata;
      hub.delete(namespace, name);
      removed.push(await millisecondsUntil(async () => !readFileSync(file, 'utf8').includes(name)));
    }
    yield atMost(`a profile of ${of} that is gone, until its context is`, removed);
  } finally {
    await api.dispose();
  }
}

function atMost(what: string, milliseconds: readonly number[]): Figure {
  return {
    what: `${what}: 9 of 10`,
    value: quantile(milliseconds, 0.9),
    unit: 'ms',
    reference: { what: 'the slowest', value: quantile(milliseconds, 1) },
    limit: { kind: 'atMost', value: 1_000 },
  };
}

/** Of a write that was just made at the hub. */
async function millisecondsUntil(isThere: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  await waitFor(isThere, 'the change', 2);
  return performance.now() - start;
}

async function waitFor(isThere: () => Promise<boolean>, what: string, everyMilliseconds = 50): Promise<void> {
  const end = performance.now() + waitMilliseconds;
  while (!(await isThere())) {
    if (performance.now() > end) {
      throw new Error(`waited in vain for ${what}`);
    }
    await delay(everyMilliseconds);
  }
}

function closing(watcher: ReturnType<typeof watch>): Disposable {
  return { [Symbol.dispose]: () => watcher.close() };
}
