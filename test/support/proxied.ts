import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { startAgent, type TestAgent } from './agent.ts';
import type { SigningKeys } from './aws/signed-request.ts';
import { makeHome, type TestHome } from './home.ts';
import { mustBeGood, until } from './stage.ts';

/** A step of a chain that sets a header: to a text of config.yaml, or to the token of an account. */
export interface SetHeader {
  set: string;
  value?: string;
  /** The account’s token. */
  secret?: string;
}

/** A step that signs (AWS Signature Version 4) with the keys of an account. */
export interface SignRequest {
  sign: Omit<SigningKeys, 'sessionToken'>;
  service: string;
  region: string;
  payload?: 'hashed' | 'unsigned';
}

export interface ProxiedCluster {
  server: string;
  caPem: string;
  /** The cluster’s own: what its account has. */
  token: string;
  chain?: readonly (SetHeader | SignRequest)[];
}

/** A request under way, as `lanyard proxy requests` tells it. */
export interface UnderWay {
  cluster: string;
  method: string;
  path: string;
}

/** Clusters behind the request proxy, with a broker and a home for the programs that use them. */
export class Proxied {
  readonly home: TestHome = makeHome();
  #agent: TestAgent | null = null;

  static async open(clusters: Readonly<Record<string, ProxiedCluster>>): Promise<Proxied> {
    const stage = new Proxied();
    try {
      await stage.#start(clusters);
    } catch (error) {
      await stage.dispose();
      throw error;
    }
    return stage;
  }

  async #start(clusters: Readonly<Record<string, ProxiedCluster>>): Promise<void> {
    const { home } = this;
    const accounts: Record<string, object> = {};
    const secrets = new Map<string, string>();
    const tokenOf = (name: string, token: string) => {
      accounts[name] = { staticToken: {} };
      secrets.set(name, token);
      return name;
    };
    const keysOf = (name: string, { accessKeyId, secretAccessKey }: SignRequest['sign']) => {
      accounts[name] = { aws: { accessKeyId } };
      secrets.set(`${name}/secretAccessKey`, secretAccessKey);
      return name;
    };
    const stated = Object.entries(clusters).map(([name, { server, caPem, token, chain = [] }]) => {
      const steps = chain.map((step, index) => {
        const account = `${name}-${index}`;
        if ('sign' in step) {
          return { ...step, sign: keysOf(account, step.sign) };
        }
        const { secret, ...rest } = step;
        return secret === undefined ? rest : { ...rest, account: tokenOf(account, secret) };
      });
      const cluster = {
        server,
        certificateAuthority: home.write(`${name}.pem`, caPem),
        account: tokenOf(`${name}-own`, token),
        proxy: { chain: steps },
        // The client for JavaScript tells its plugin no server.
        withoutInfo: 'allow',
      };
      return [name, cluster] as const;
    });
    home.writeConfig({ version: 1, accounts, clusters: Object.fromEntries(stated) });
    this.#agent = await startAgent({ home, passphrase: 'of the proxied clusters' });
    for (const [name, input] of secrets) {
      mustBeGood(await home.lanyard(['secret', 'set', name], { input }));
    }
    for (const version of ['v1beta1', 'v1'] as const) {
      const done = await home.lanyard(['kubeconfig', 'write', '--api-version', version]);
      mustBeGood(done);
      const kubeconfig = parse(readFileSync(done.stdout.trim(), 'utf8'));
      for (const name of Object.keys(clusters)) {
        home.write(`${name}-${version}`, JSON.stringify({ ...kubeconfig, 'current-context': name }));
      }
    }
  }

  /** The kubeconfig that Lanyard writes, with this cluster as its current one. `version`: of the exec entries. */
  kubeconfig(cluster: string, version: 'v1' | 'v1beta1' = 'v1'): string {
    return `${this.home.outside}/${cluster}-${version}`;
  }

  /** Requests under way through the proxy. */
  async underWay(): Promise<readonly UnderWay[]> {
    return this.#tell(['proxy', 'requests', '--json']);
  }

  async nothingIsOpen(): Promise<void> {
    await until(async () => ((await this.underWay()).length === 0 ? true : null), 'the end of all requests');
  }

  /** The data plane’s process; throws where none runs. */
  async pid(): Promise<number> {
    const { running } = await this.#tell(['proxy', 'status', '--json']);
    return running.pid;
  }

  // biome-ignore lint/suspicious/noExplicitAny: what the command prints
  async #tell(args: readonly string[]): Promise<any> {
    const done = await this.home.lanyard(args);
    mustBeGood(done);
    return JSON.parse(done.stdout);
  }

  async dispose(): Promise<void> {
    await this.#agent?.dispose();
    this.home.dispose();
  }
}
