/** How pflag reads a flag's value: once, each as it is, split at commas, `key=value` split at commas, true without a value. */
type FlagKind = 'text' | 'array' | 'list' | 'pairs' | 'boolean';

/** The flags of `kubelogin get-token` (docs/usage.md and pkg/cmd of int128/kubelogin, old names included). */
const flagKinds = {
  'oidc-issuer-url': 'text',
  'oidc-client-id': 'text',
  'oidc-client-secret': 'text',
  'oidc-redirect-url': 'text',
  'oidc-redirect-url-hostname': 'text',
  'oidc-redirect-url-authcode-keyboard': 'text',
  'oidc-extra-scope': 'list',
  'oidc-use-access-token': 'boolean',
  'oidc-request-header': 'pairs',
  'oidc-use-pkce': 'boolean',
  'oidc-pkce-method': 'text',
  'oidc-auth-request-extra-params': 'pairs',
  'grant-type': 'text',
  'listen-address': 'list',
  'listen-port': 'list',
  'skip-open-browser': 'boolean',
  'browser-command': 'text',
  'authentication-timeout-sec': 'text',
  'local-server-cert': 'text',
  'local-server-key': 'text',
  'open-url-after-authentication': 'text',
  username: 'text',
  password: 'text',
  'certificate-authority': 'array',
  'certificate-authority-data': 'array',
  'insecure-skip-tls-verify': 'boolean',
  'tls-renegotiation-once': 'boolean',
  'tls-renegotiation-freely': 'boolean',
  'force-refresh': 'boolean',
  'token-cache-dir': 'text',
  'token-cache-storage': 'text',
  // Of its log (klog).
  v: 'text',
  vmodule: 'text',
  add_dir_header: 'boolean',
  alsologtostderr: 'boolean',
  log_backtrace_at: 'text',
  log_dir: 'text',
  log_file: 'text',
  log_file_max_size: 'text',
  logtostderr: 'boolean',
  one_output: 'boolean',
  skip_headers: 'boolean',
  skip_log_headers: 'boolean',
  stderrthreshold: 'text',
} as const satisfies Record<string, FlagKind>;

export type KubeloginFlag = keyof typeof flagKinds;

/** The given flags; an absent flag has no entry. */
export interface KubeloginFlags {
  has(flag: KubeloginFlag): boolean;
  /** The last value; null: the flag is absent or its value is empty. */
  text(flag: KubeloginFlag): string | null;
  isTrue(flag: KubeloginFlag): boolean;
  /** All values, split as kubelogin splits them. */
  all(flag: KubeloginFlag): readonly string[];
}

export type ParsedFlags =
  | { ok: true; flags: KubeloginFlags }
  /** `fault`: a flag's name at most, never a value. */
  | { ok: false; fault: string };

/** Reads flags as pflag does: `--flag value`, `--flag=value`, `-v 1`, `-v=1`, `-v1`. */
export function parseKubeloginFlags(args: readonly string[]): ParsedFlags {
  const values = new Map<KubeloginFlag, string[]>();
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? '';
    const long = /^--([^=]+)(?:=([\s\S]*))?$/.exec(arg) ?? /^-(v)(?:=?([\s\S]+))?$/.exec(arg);
    if (!long) {
      return { ok: false, fault: 'an argument that is no flag' };
    }
    const [, name = '', inline] = long;
    if (!isFlag(name)) {
      return {
        ok: false,
        fault: /^[a-z0-9_-]{1,60}$/i.test(name) ? `--${name}` : 'an unknown flag',
      };
    }
    const kind: FlagKind = flagKinds[name];
    let value = inline;
    if (value === undefined && kind === 'boolean') {
      value = 'true';
    } else if (value === undefined) {
      index += 1;
      value = args[index];
    }
    if (value === undefined) {
      return { ok: false, fault: `--${name} without a value` };
    }
    const split =
      kind === 'list' || kind === 'pairs' ? value.split(',').filter((part) => part !== '') : [value];
    values.set(name, [...(values.get(name) ?? []), ...split]);
  }
  const all = (flag: KubeloginFlag) => values.get(flag) ?? [];
  return {
    ok: true,
    flags: {
      has: (flag) => values.has(flag),
      text: (flag) => all(flag).at(-1) || null,
      isTrue: (flag) => /^(1|t|true)$/i.test(all(flag).at(-1) ?? ''),
      all,
    },
  };
}

function isFlag(name: string): name is KubeloginFlag {
  return Object.hasOwn(flagKinds, name);
}
