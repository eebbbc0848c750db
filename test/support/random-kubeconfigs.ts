import { mapOf, Plain, type RandomMap, type RandomValue, writeYaml } from './random-yaml.ts';

/** Kubeconfigs that are merged together, in their order. */
export interface RandomKubeconfigs {
  /** Relative paths; a text of null: there is no such file. */
  files: { path: string; text: string | null }[];
  /** Files that entries name, by path; those that are absent are missing here. */
  named: Map<string, string>;
}

export interface RandomKubeconfigOptions {
  random: () => number;
  /** Folder of the files, relative. */
  folder: string;
  /** The absolute path that `folder` is relative to. */
  root: string;
  /** Names that entries have: few, so that they clash. */
  names: readonly string[];
  /** Each named file exists, and no entry has both the data and a path: kubectl's `--flatten` wants it so. */
  complete: boolean;
}

/** Names that YAML, shells and paths stumble over. */
export const oddNames: readonly string[] = [
  ...[
    'prod',
    'Prod',
    'staging-1',
    'a b',
    ' lead',
    'trail ',
    'ü',
    'größe/straße',
    '日本',
    '😀',
    'é',
    'e\u0301',
  ],
  ...['on', 'On', 'off', 'yes', 'no', 'y', 'n', 'true', 'False', 'null', 'Null', '~', '', '<<', '='],
  ...['123', '1.5', '1e3', '0x1f', '0o17', '017', '1_000', '+1', '-1', '.5', '.inf', '.nan', '1:20', '0b1'],
  ...['2001-01-01', '2001-01-01T00:00:00Z', '#hash', 'a #b', 'a: b', 'a:', ':a', '- x', '-', '?', '? x'],
  ...['"quoted"', "it's", "''", '!x', '!!str x', '&a', '*a', '{x}', '[x]', 'a,b', '%a', '@a', '`a', '|', '>'],
  ...[
    'arn:aws:eks:eu-1:1:cluster/prod',
    'gke_p_eu_c',
    'kubernetes-admin@kubernetes',
    '../up',
    './here',
    '/abs',
  ],
  ...['C:\\win', 'a\\nb', 'line\nbreak', 'tab\tx', '$HOME', '%s', '--flag', '__proto__', 'constructor'],
  ...['toString', 'hasOwnProperty', 'a\u00a0b', '\u200b', 'x'.repeat(300), 'ß'.repeat(120), '---', '...'],
];

const keys = ['aGVsbG8=', 'YWJjZA==', 'AAECAw==', 'YWJj\nZGVm', 'YWJjZGVm'];
const paths = ['pem/a.pem', './pem/b.pem', '../shared/c.pem', 'pem/../pem/d.pem', 'sub//e.pem'];
const flags = ['true', 'false', 'yes', 'no', 'on', 'off', 'True', 'Off', 'y', 'n'];

/** One to four files that clash. */
export function randomKubeconfigs(options: RandomKubeconfigOptions): RandomKubeconfigs {
  const { random, folder, names } = options;
  const count = 1 + Math.floor(random() * 4);
  const named = new Map<string, string>();
  const files = Array.from({ length: count }, (_, index) => {
    const path = [folder, pick(['.', 'sub', 'sub/deep', 'a b'], random), `config-${index}`].join('/');
    const make = new FileMaker(options, path.slice(0, path.lastIndexOf('/')), named);
    return { path, text: random() < 0.08 ? null : make.text(names) };
  });
  return { files, named };
}

class FileMaker {
  readonly #options: RandomKubeconfigOptions;
  readonly #folder: string;
  readonly #named: Map<string, string>;
  #anchors = 0;

  constructor(options: RandomKubeconfigOptions, folder: string, named: Map<string, string>) {
    this.#options = options;
    this.#folder = folder;
    this.#named = named;
  }

  text(names: readonly string[]): string {
    if (this.#chance(0.03)) {
      return this.#pick(['', '# nothing\n', '---\n', 'null\n', '{}\n', '\n\n']);
    }
    const root = this.#shuffled([
      ...this.#maybe(0.8, 'apiVersion', 'v1'),
      ...this.#maybe(0.8, 'kind', 'Config'),
      ...this.#maybe(0.3, 'preferences', mapOf([])),
      ...this.#maybe(0.6, 'current-context', this.#chance(0.2) ? this.#pick(['', null]) : this.#pick(names)),
      ...this.#maybe(0.2, 'unknown', mapOf([['x', new Plain('12')]])),
      ['clusters', this.#entries(names, 'cluster', () => this.#cluster())],
      ['users', this.#entries(names, 'user', () => this.#user())],
      ['contexts', this.#entries(names, 'context', () => this.#context(names))],
    ]);
    return this.#dressed(writeYaml(root, this.#options.random));
  }

  /** What may stand around a text. */
  #dressed(text: string): string {
    let dressed = this.#chance(0.2) ? `---\n${text}` : text;
    dressed = this.#chance(0.1) ? `# a comment\n\n${dressed}` : dressed;
    dressed = this.#chance(0.1) ? `${dressed}---\ncurrent-context: never\n` : dressed;
    dressed = this.#chance(0.1) ? `${dressed}...\n` : dressed;
    dressed = this.#chance(0.15) ? dressed.replaceAll('\n', '\r\n') : dressed;
    return this.#chance(0.1) ? `\uFEFF${dressed}` : dressed;
  }

  #entries(names: readonly string[], body: string, make: () => RandomMap): RandomValue {
    if (this.#chance(0.05)) {
      return this.#pick([null, []]);
    }
    const own = names.filter(() => this.#chance(0.5));
    let anchor: string | null = null;
    return own.map((name) => {
      const content = make();
      if (anchor !== null && this.#chance(0.3)) {
        // Before or after its own keys: kubectl does not treat them alike.
        const at = this.#chance(0.5) ? 0 : content.length;
        content.splice(at, 0, ['<<', new Plain(`*${anchor}`)]);
      } else if (this.#chance(0.15)) {
        this.#anchors += 1;
        anchor = `a${this.#anchors}`;
        content.unshift([`&${anchor}`, null]);
      }
      const kept = content.some(([key]) => key.startsWith('&')) ? 1 : 0.95;
      return this.#shuffled([['name', name], ...this.#maybe(kept, body, content)]);
    });
  }

  #cluster(): RandomMap {
    return mapOf([
      ...this.#maybe(0.9, 'server', this.#pick(['https://10.0.0.1:6443', 'https://[::1]/x', 'http://h', ''])),
      // A key twice: the last counts.
      ...this.#maybe(0.1, 'server', 'https://second'),
      ...this.#maybe(0.3, 'tls-server-name', this.#anyText()),
      ...this.#maybe(0.3, 'insecure-skip-tls-verify', new Plain(this.#pick(flags))),
      ...this.#maybe(0.2, 'proxy-url', this.#pick(['http://proxy:3128', 'socks5://p', null])),
      ...this.#maybe(0.2, 'extensions', [
        mapOf([
          [
            'name',
            this.#pick(['e', 'client.authentication.k8s.io/exec', 'client.authentication.k8s.io/exec']),
          ],
          ...this.#maybe(0.9, 'extension', this.#extension()),
        ]),
      ]),
      ...this.#material('certificate-authority'),
    ]);
  }

  /** Any JSON, in YAML's words. */
  #extension(): RandomValue {
    const values = ['1', '-2.5', '0x1F', '0o17', 'true', 'no', '~', '1e3', '2020-01-01', '{}', '[]'];
    const plain = () => new Plain(this.#pick(values));
    return this.#pick<RandomValue>([
      mapOf([
        ['audience', this.#anyText()],
        ['list', [plain(), this.#anyText(), mapOf([['deep', plain()]])]],
      ]),
      mapOf([['n', plain()]]),
    ]);
  }

  #user(): RandomMap {
    return mapOf([
      ...this.#maybe(0.4, 'token', this.#anyText()),
      ...this.#maybe(0.2, 'tokenFile', this.#path()),
      ...this.#maybe(0.2, 'username', this.#anyText()),
      ...this.#maybe(0.2, 'password', this.#anyText()),
      ...this.#maybe(0.1, 'unknown-key', this.#anyText()),
      ...this.#maybe(0.1, 'as', this.#anyText()),
      ...this.#maybe(0.1, 'as-groups', [this.#anyText()]),
      ...this.#maybe(0.1, 'auth-provider', this.#authProvider()),
      ...this.#maybe(0.3, 'exec', this.#exec()),
      ...this.#material('client-certificate'),
      ...this.#material('client-key'),
    ]);
  }

  #authProvider(): RandomMap {
    return mapOf([
      ['name', this.#pick(['oidc', 'gcp'])],
      ...this.#maybe(
        0.8,
        'config',
        mapOf([
          ['id-token', this.#anyText()],
          [this.#anyText(), this.#anyText()],
        ]),
      ),
    ]);
  }

  #exec(): RandomMap {
    const variable = () =>
      mapOf([
        ['name', 'A'],
        ['value', this.#anyText()],
      ]);
    return mapOf([
      ...this.#maybe(0.8, 'apiVersion', 'client.authentication.k8s.io/v1beta1'),
      ['command', this.#pick(['aws', './plugin', '../bin/plugin', '/usr/bin/x', 'bin/y', '.'])],
      ...this.#maybe(0.6, 'args', [this.#anyText(), this.#anyText()]),
      ...this.#maybe(0.4, 'env', this.#chance(0.2) ? null : [variable()]),
      ...this.#maybe(0.3, 'installHint', this.#pick(['brew install x', 'two\nlines', '', null])),
      ...this.#maybe(0.3, 'provideClusterInfo', new Plain(this.#pick(flags))),
    ]);
  }

  #context(names: readonly string[]): RandomMap {
    return mapOf([
      ...this.#maybe(0.9, 'cluster', this.#pick(names)),
      ...this.#maybe(0.9, 'user', this.#pick(names)),
      ...this.#maybe(0.3, 'namespace', this.#pick(['default', 'kube-system', '', null])),
    ]);
  }

  #material(key: string): [string, RandomValue][] {
    const data: [string, RandomValue][] = this.#maybe(0.3, `${key}-data`, this.#pick(keys));
    if (this.#options.complete) {
      // An anchor's map may be merged with one that has the other: only paths then.
      return this.#maybe(0.5, key, this.#path());
    }
    return [...data, ...this.#maybe(0.4, key, this.#path())];
  }

  #path(): string {
    const { root, complete } = this.#options;
    const relative = this.#pick(paths);
    const file = `${this.#folder}/${relative}`;
    if (complete || this.#chance(0.5)) {
      this.#named.set(file, `content of ${file}\n`);
    }
    return this.#chance(0.2) ? `${root}/${file}` : relative;
  }

  #anyText(): string {
    return this.#pick([...oddNames, 'eyJh.bGci.OiJ_-', 'secret']);
  }

  #maybe(share: number, key: string, value: RandomValue): [string, RandomValue][] {
    return this.#chance(share) ? [[key, value]] : [];
  }

  #shuffled(pairs: [string, RandomValue][]): RandomMap {
    return mapOf(
      pairs
        .map((pair) => ({ pair, at: this.#options.random() }))
        .sort((a, b) => a.at - b.at)
        .map(({ pair }) => pair),
    );
  }

  #chance(share: number): boolean {
    return this.#options.random() < share;
  }

  #pick<Item>(items: readonly Item[]): Item {
    return pick(items, this.#options.random);
  }
}

function pick<Item>(items: readonly Item[], random: () => number): Item {
  return items[Math.floor(random() * items.length)] as Item;
}
