import { createCa, type IssuedCertificate, issueClientCertificate } from '../../support/certificates.ts';
import { buildGo, findGo } from '../../support/go.ts';
import { type CertificateServer, ServerFiles, startGo } from '../../support/keys/certificate-servers.ts';
import { noSoftHsm, SoftHsm } from '../../support/keys/softhsm.ts';
import { statedIn, wayIn } from '../../support/proxied-stage.ts';
import { mustBeGood, Stage } from '../../support/stage.ts';
import type { Figure, Figures } from '../figure.ts';
import { buildLoad, type Target } from '../proxy/load.ts';
import { median } from '../statistics.ts';

export interface HardwareKeyOptions {
  /** Requests that need a handshake each. */
  handshakes: number;
  /** Requests on connections that are kept. */
  gets: number;
}

/** An account and a cluster each, by where the key is. */
const places = ['token', 'memory'] as const;
const ways = ['handshake', 'kept'] as const;
const nameOf = (place: string, way: string) => `${place}-${way}`;

/**
 * A client certificate whose P-256 key is on SoftHSM’s token, beside the same one whose key the data plane has: with the
 * whole broker, at a server of Go’s that demands it, TLS 1.3, in turn. No handshake is a resumed one.
 */
export async function* hardwareKeyFigures({ handshakes, gets }: HardwareKeyOptions): Figures {
  if (noSoftHsm !== null) {
    return;
  }
  const go = findGo();
  if (!go.ok) {
    process.stderr.write(`left out: a key on a token: ${go.why}\n`);
    return;
  }
  const load = buildLoad();
  const ca = await createCa('bench');
  const client = await issueClientCertificate(ca, { commonName: 'carol', key: 'P-256' });
  const files = await ServerFiles.of(ca);
  // As most API servers are.
  const program = await buildGo(go.path, 'client-certificates');
  const servers = {
    handshake: await startGo(program, files, '1.3', { closes: true }),
    kept: await startGo(program, files, '1.3'),
  };
  const tokens = new SoftHsm();
  tokens.addToken('card', [{ label: 'me', id: 1, ...client }]);
  const stage = await startStage(tokens, ca.certificatePem, servers);
  try {
    await giveKeys(stage, client);
    const kubeconfig = await stage.writeKubeconfig();
    const targets = async (way: (typeof ways)[number]) =>
      Promise.all(places.map((place) => targetOf(stage, kubeconfig, place, nameOf(place, way))));
    const time = async (way: (typeof ways)[number], count: number) => {
      const warmUp = Math.min(20, count);
      const times = await load.time(await targets(way), 'get', { count: count + warmUp });
      const [token = [], memory = []] = times.map((each) => each.slice(warmUp));
      return { token, memory };
    };
    yield ratio(
      'a request that needs a handshake, by a P-256 key on SoftHSM’s token: median',
      await time('handshake', handshakes),
      1.5,
    );
    yield ratio(
      'a request on a connection that is kept, made by a key on a token: median',
      await time('kept', gets),
      1.1,
    );
  } finally {
    await stage.dispose();
    await Promise.all(Object.values(servers).map((server) => server.close()));
    files.dispose();
    tokens.dispose();
  }
}

function ratio(
  what: string,
  { token, memory }: Record<(typeof places)[number], number[]>,
  most: number,
): Figure {
  return {
    what,
    value: median(token),
    unit: 'ms',
    reference: { what: 'the same key in memory', value: median(memory) },
    limit: { kind: 'ratioAtMost', value: most },
  };
}

function startStage(
  tokens: SoftHsm,
  caPem: string,
  servers: Record<(typeof ways)[number], CertificateServer>,
): Promise<Stage> {
  return Stage.open({
    extend: (config, { home }) => {
      const env = Object.entries(tokens.env).map(([name, value]) => ({ name, value }));
      config.accounts['token'] = { pkcs11: { module: tokens.module, token: 'card', label: 'me', env } };
      config.accounts['memory'] = { clientCertificate: {} };
      const certificateAuthority = home.write('bench-ca.pem', caPem);
      for (const way of ways) {
        for (const account of places) {
          config.clusters[nameOf(account, way)] = {
            server: `https://127.0.0.1:${servers[way].port}`,
            certificateAuthority,
            account,
            proxy: {},
          };
        }
      }
    },
  });
}

async function giveKeys(stage: Stage, { chainPem, keyPem }: IssuedCertificate): Promise<void> {
  mustBeGood(await stage.lanyard(['secret', 'set', 'memory'], { input: `${chainPem}${keyPem}` }));
  const terminal = stage.onTerminal(['login', 'token']);
  await terminal.waitForText('PIN of the token card (not shown): ');
  terminal.send('1234\r');
  mustBeGood(await terminal.ended);
}

async function targetOf(stage: Stage, kubeconfig: string, account: string, cluster: string): Promise<Target> {
  const { server = '', ...stated } = statedIn(kubeconfig, cluster);
  const { port, pathname } = new URL(server);
  return {
    port: Number(port),
    prefix: pathname,
    ca: Buffer.from(stated['certificate-authority-data'] ?? '', 'base64').toString(),
    protocol: 'http/1.1',
    authorization: `Bearer ${await wayIn(stage, account, cluster, kubeconfig)}`,
  };
}
