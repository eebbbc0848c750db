import { Secret } from '../../base/secret.ts';
import { refuse } from '../../contract/refusal.ts';
import { clusterName } from '../../domain/target/target.ts';
import type { Account, Attendant, Credential, CredentialRequest, Obtained } from '../../ports/account.ts';

/** A wrapped plugin whose shape the client names, and whose runs a test counts and answers. */
export class ScriptedPlugin implements Account {
  readonly name = 'eks';
  readonly kind = 'execPlugin';
  readonly keepsNothing = true;
  /** By shape: the result of each run; the last one repeats. */
  next: Obtained = refuse('provider', 'execPlugin.failed', 'exec: executable aws failed with exit code 1');
  readonly runs: string[] = [];
  readonly waiting = new Set<Attendant>();
  /** Each run waits for this. */
  gate: Promise<unknown> = Promise.resolve();
  /** What it gives is for those who wait for it alone. */
  isPassedOn = false;
  readonly #shaped = new Map<string, Account>();

  async shapedBy(asking: CredentialRequest) {
    const variables = Object.entries((await asking.terminal.environment([])) ?? {});
    const key = [asking.target.name, ...variables.map(([name, value]) => `${name}=${value}`)].join(' ');
    const known = this.#shaped.get(key) ?? this.#account(key, asking.target.name, variables);
    this.#shaped.set(key, known);
    return { ok: true as const, account: known };
  }

  forgetShapes() {
    this.#shaped.clear();
  }

  async current() {
    return null;
  }

  async renew(): Promise<Obtained> {
    return refuse('internal', 'execPlugin.unshaped', 'nobody said who asks');
  }

  state = () => Promise.reject(new Error('not asked'));

  #account(key: string, cluster: string, variables: [string, string][]): Account {
    return {
      name: this.name,
      kind: this.kind,
      keepsNothing: true,
      isPassedOn: this.isPassedOn,
      shape: {
        key,
        target: clusterName(cluster),
        variables: variables.map(([name, value]) => [name, new Secret(value)]),
      },
      backoff: { first: 1_000, longest: 60_000 },
      attend: (attendant) => {
        this.waiting.add(attendant);
        return () => void this.waiting.delete(attendant);
      },
      current: async () => null,
      renew: async () => {
        this.runs.push(key);
        await this.gate;
        return this.next;
      },
      state: this.state,
    };
  }
}

export function pluginToken(value: string, fields: Partial<Credential> = {}): Obtained & { ok: true } {
  const credential = {
    token: new Secret(value),
    certificate: null,
    issuedAt: null,
    expiresAt: null,
    ...fields,
  };
  return { ok: true, credential };
}
