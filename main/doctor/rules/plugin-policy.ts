import { posix } from 'node:path';
import { visibleText } from '../../domain/text/visible-text.ts';

/** The credential plugin policy of a kuberc (kubectl.config.k8s.io/v1beta1, kubectl 1.35 and later). */
export interface PluginPolicy {
  /** `AllowAll`, `DenyAll`, `Allowlist`; empty where it isn’t set. */
  policy: string;
  /** Entries by `command`, or by `name`, as 1.35 had it; null: it has no list. */
  allowed: readonly string[] | null;
}

export type PluginVerdict =
  | { kind: 'permitted' }
  | { kind: 'denied' }
  | { kind: 'notListed' }
  /** kubectl runs no plugin at all with such a file; `fault` tells why. */
  | { kind: 'misconfigured'; fault: string };

/**
 * Whether kubectl would run `command`, an absolute path. `lookUp` is Go’s exec.LookPath: finds a bare name on the PATH
 * without following links; null where there is none. An entry matches as written, and by the path that it is looked up
 * to.
 */
export async function judgePlugin(
  { policy, allowed }: PluginPolicy,
  command: string,
  lookUp: (name: string) => Promise<string | null>,
): Promise<PluginVerdict> {
  switch (policy) {
    case '':
    case 'AllowAll':
    case 'DenyAll':
      if (allowed !== null) {
        const fault = `it has a credentialPluginAllowlist, and the policy ${policy || 'that is not set'}`;
        return { kind: 'misconfigured', fault };
      }
      return { kind: policy === 'DenyAll' ? 'denied' : 'permitted' };
    case 'Allowlist':
      if (allowed === null || allowed.length === 0 || allowed.includes('')) {
        return {
          kind: 'misconfigured',
          fault: 'its credentialPluginAllowlist is empty, or has an empty entry',
        };
      }
      for (const entry of allowed) {
        if (posix.normalize(entry).replace(/(?<=.)\/$/, '') !== entry) {
          return {
            kind: 'misconfigured',
            fault: `its credentialPluginAllowlist has the entry ${visibleText(entry, 200)}, which is not a normalized path`,
          };
        }
      }
      for (const entry of allowed) {
        if (entry === command || (await lookUp(entry)) === command) {
          return { kind: 'permitted' };
        }
      }
      return { kind: 'notListed' };
    default:
      return { kind: 'misconfigured', fault: 'its credentialPluginPolicy is none that kubectl knows' };
  }
}
