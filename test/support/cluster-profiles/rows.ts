import {
  args,
  clustered,
  env,
  execExtension,
  extended,
  file,
  listing,
  oldArgs,
  oldEnv,
  pem,
  profile,
  provider,
  server,
  version,
} from './parts.ts';
import type { BuiltAnswer, Row } from './questions.ts';

function read(name: string, text: string, differs?: Row['differs']): Row {
  return { name: `file: ${name}`, question: { op: 'file', file: text }, ...(differs && { differs }) };
}

function build(
  name: string,
  providers: readonly unknown[],
  profiles: object | readonly object[],
  more: Pick<Row, 'allowed' | 'differs'> = {},
): Row {
  const all = Array.isArray(profiles) ? (profiles as readonly object[]) : [profiles as object];
  return {
    name: `build: ${name}`,
    question: { op: 'build', file: file(...providers), profiles: all },
    ...more,
  };
}

const fault = (why: string, ...ours: readonly string[]): Pick<Row, 'differs'> => ({ differs: { why, ours } });

const google = (more: object = {}, exec: object = {}) => provider('google', exec, more);
const append = google({ profileSourcedCLIArgsPolicy: 'Append' });
const envPolicy = (policy: string, own: object = {}) =>
  google({ profileSourcedEnvVarsPolicy: policy }, { env: [{ name: 'CLIENT_ID', value: 'None' }], ...own });
const both = (policy: string) =>
  google(
    { profileSourcedCLIArgsPolicy: 'Append', profileSourcedEnvVarsPolicy: policy },
    { env: [{ name: 'CLIENT_ID', value: 'None' }] },
  );
const variables = { CLIENT_ID: 'client-id', TENANT_ID: 'tenant-id' };
const audience = ['--audience', 'audience'];
const everything = extended([execExtension, { any: 'data' }], [args, audience], [env, variables]);

/** What Lanyard builds of `google` at `server`. */
const builtGoogle = (exec: object = {}, more: Partial<BuiltAnswer> = {}) => ({
  error: '',
  server,
  ca: '',
  proxy: '',
  exec: {
    apiVersion: version,
    command: 'command-of-google',
    args: ['own'],
    env: [],
    provideClusterInfo: false,
    interactiveMode: 'Never',
    config: null,
    ...exec,
  },
  ...more,
});

const atLoad = 'it is the provider’s fault as soon as the file is read';
const noText = 'null is no text; YAML leaves it out';
const oldName = 'the KEP’s first names count, too';

/** The cases of access/config_test.go, but for the flag’s default and a file that isn’t there. */
const ownCases: readonly Row[] = [
  read('two providers', file(provider('provider1'), provider('provider2'))),
  read('an empty list', '{"providers": []}'),
  read('null', '{"providers": null}'),
  read(
    'one provider without policies',
    file({
      name: 'gkeFleet',
      execConfig: { apiVersion: version, command: 'gke-gcloud-auth-plugin', provideClusterInfo: true },
    }),
  ),
  read('no JSON', 'invalid json content'),
  read('an empty object', '{}'),
  build('the first of two providers has its plugin', [provider('a'), provider('b')], listing('a')),
  build(
    'the second of two has its own, with policies',
    [
      provider('a'),
      provider('b', {}, { profileSourcedCLIArgsPolicy: 'Append', profileSourcedEnvVarsPolicy: 'Replace' }),
    ],
    listing('b'),
  ),
  build('a provider that the file doesn’t have', [provider('a')], listing('none')),
  build(
    'a provider without a name',
    [provider('a')],
    profile({ accessProviders: [{ name: '', cluster: { server } }] }),
  ),
  build('a file without providers', [], listing('a')),
  build('the first that matches', [provider('a'), provider('b')], listing('a', 'b', 'unsupported')),
  build('none that matches', [provider('different')], listing('a', 'b')),
  build('a profile without access providers', [provider('a')], profile({})),
  build('a profile that is built again', [provider('a')], [listing('a'), listing('a')]),
  build('no provider for what it states', [provider('different')], everything),
  build('a provider without exec config', [provider('google', null)], everything),
  build(
    'nothing additional',
    [google({}, { args: ['file'], env: [{ name: 'foo', value: 'bar' }] })],
    clustered({
      server,
      'proxy-url': 'http://proxy.example.com',
      'certificate-authority-data': Buffer.from(pem).toString('base64'),
    }),
  ),
  build('arguments appended, variables replaced', [both('Replace')], everything),
  build('arguments appended, variables where there is none', [both('AppendIfNotExists')], everything),
  build(
    'arguments and variables ignored',
    [google({ profileSourcedCLIArgsPolicy: 'Ignore', profileSourcedEnvVarsPolicy: 'Ignore' })],
    everything,
  ),
];

const files: readonly Row[] = [
  read(
    'unknown keys',
    '{"x": 1, "providers": [{"name": "a", "y": {}, "execConfig": {"command": "c", "apiVersion": "client.authentication.k8s.io/v1", "z": [1]}}]}',
  ),
  read('args and env of null', file(provider('a', { args: null, env: null }))),
  read(
    'installHint and interactiveMode',
    file(provider('a', { installHint: 'x', interactiveMode: 'Always' })),
  ),
  read(
    'variables',
    file(provider('a', { env: [{ name: 'B', value: '2' }, { name: 'A', value: '1' }, { name: 'C' }] })),
  ),
  read(
    'names in any case',
    `{"PROVIDERS": [{"NAME": "a", "execconfig": {"Command": "c", "apiversion": "${version}"}}]}`,
  ),
  read(
    'Kelvin’s sign and the long s',
    `{"provider\u017f": [{"name": "a", "execConfig": {"command": "c", "apiVer\u017fion": "${version}"}}]}`,
  ),
  read(
    'a key twice',
    `{"providers": [], "providers": [{"name": "a", "name": "b", "execConfig": {"command": "c", "apiVersion": "${version}"}}]}`,
  ),
  read('the key of Kueue', '{"credentialsProviders": [{"name": "a"}]}'),
  read('config', file(provider('a', { config: { x: 1 } }))),
  read('a list', '[]'),
  read('a number', '1'),
  read('null alone', 'null'),
  read('text', '"x"'),
  read('empty', ''),
  read('YAML', 'providers: []'),
  read('what comes after', '{} {}'),
  read('half of it', '{"providers": ['),
  read('providers by name', '{"providers": {}}'),
  read('a provider of a number', '{"providers": [1]}'),
  read('a name of a number', '{"providers": [{"name": 1}]}'),
  read('args of text', file(provider('a', { args: 'x' }))),
  read('an argument of a number', file(provider('a', { args: [1] }))),
  read('an argument of null', file(provider('a', { args: ['x', null] }))),
  read('variables by name', file(provider('a', { env: { A: 'b' } }))),
  read('a variable’s value of a number', file(provider('a', { env: [{ name: 'A', value: 1 }] }))),
  read('provideClusterInfo of text', file(provider('a', { provideClusterInfo: 'true' }))),
  read('provideClusterInfo of null', file(provider('a', { provideClusterInfo: null }))),
  read('a policy of a number', file(provider('a', {}, { profileSourcedCLIArgsPolicy: 1 }))),
  read('a policy of null', file(provider('a', {}, { profileSourcedCLIArgsPolicy: null }))),
  read(
    'all policies',
    file(
      provider(
        'a',
        {},
        { profileSourcedCLIArgsPolicy: 'Append', profileSourcedEnvVarsPolicy: 'AppendIfNotExists' },
      ),
    ),
  ),
  read('execConfig of a list', '{"providers": [{"name": "a", "execConfig": []}]}'),
  read('no execConfig', file({ name: 'a' }), {
    why: atLoad,
    ours: { error: '', providers: [{ name: 'a', fault: 'no exec config found for provider "a"' }] },
  }),
  read('no command', file(provider('a', { command: '' })), {
    why: atLoad,
    ours: { error: '', providers: [{ name: 'a', fault: 'has no command' }] },
  }),
  read('an unknown version', file(provider('a', { apiVersion: 'v2' })), {
    why: atLoad,
    ours: {
      error: '',
      providers: [
        {
          name: 'a',
          fault:
            'has the apiVersion v2; supported are client.authentication.k8s.io/v1, client.authentication.k8s.io/v1beta1, client.authentication.k8s.io/v1alpha1',
        },
      ],
    },
  }),
  read('an unknown policy', file(provider('a', {}, { profileSourcedEnvVarsPolicy: 'append' })), {
    why: atLoad,
    ours: {
      error: '',
      providers: [{ name: 'a', fault: 'unsupported ProfileSourcedEnvVarsPolicy: "append"' }],
    },
  }),
  read('a name twice', file(provider('a', { args: null }), provider('a')), {
    why: atLoad,
    ours: {
      error: '',
      providers: [
        {
          name: 'a',
          exec: {
            apiVersion: version,
            command: 'command-of-a',
            args: [],
            env: [],
            provideClusterInfo: false,
          },
          args: 'Ignore',
          env: 'Ignore',
        },
        { name: 'a', fault: 'is there twice; the first counts' },
      ],
    },
  }),
];

const selection: readonly Row[] = [
  build('the file’s order counts', [provider('b'), provider('a')], listing('a', 'b')),
  build(
    'of equal names the first',
    [google({}, { args: ['first'] }), google({}, { args: ['second'] })],
    listing('google'),
  ),
  build('the first without exec config', [provider('a', null), google()], listing('google', 'a')),
  build(
    'credentialProviders',
    [google()],
    profile({ credentialProviders: [{ name: 'google', cluster: { server } }] }),
  ),
  build(
    'both fields, one name',
    [google()],
    profile({
      credentialProviders: [{ name: 'google', cluster: { server: 'https://old' } }],
      accessProviders: [{ name: 'google', cluster: { server } }],
    }),
  ),
  build(
    'both fields, two names',
    [provider('a'), google()],
    profile({
      credentialProviders: [{ name: 'a', cluster: { server: 'https://old' } }],
      accessProviders: [{ name: 'google', cluster: { server } }],
    }),
  ),
  build('no status', [google()], profile(undefined)),
  build(
    'a name twice in a profile',
    [google()],
    profile({
      accessProviders: [
        { name: 'google', cluster: { server } },
        { name: 'google', cluster: { server: 'https://second' } },
      ],
    }),
    {
      differs: {
        why: 'the first counts, so that nothing that comes after takes its place; an API server allows no two',
        ours: [builtGoogle()],
      },
    },
  ),
];

const endpoints: readonly Row[] = [
  build('a path and a port', [google()], clustered({ server: 'https://api.example.com:6443/k8s/a' })),
  build(
    'tls-server-name, disable-compression',
    [google()],
    clustered({ server, 'tls-server-name': 'x', 'disable-compression': true }),
  ),
  build('a CA’s path', [google()], clustered({ server, 'certificate-authority': '/etc/ca' })),
  build(
    'proxies of three schemes',
    [google()],
    ['http', 'https', 'socks5'].map((scheme) => clustered({ server, 'proxy-url': `${scheme}://proxy:1234` })),
  ),
  build('no proxy', [google()], clustered({ server, 'proxy-url': '' })),
  build(
    'data that is no base64',
    [google()],
    clustered({ server, 'certificate-authority-data': '!' }),
    fault('it is that provider’s fault, and the profile is read', 'badProvider'),
  ),
  build(
    'a server of a number',
    [google()],
    clustered({ server: 1 }),
    fault('it is that provider’s fault, and the profile is read', 'badProvider'),
  ),
  build('no server', [google()], clustered({}), fault('a cluster needs a server', 'badServer')),
  build('no cluster', [google()], clustered(undefined), fault('a cluster needs a server', 'badServer')),
  build('no https', [google()], clustered({ server: 'http://api' }), fault('https only', 'badServer')),
  build(
    'a user name',
    [google()],
    clustered({ server: 'https://me@api' }),
    fault('no user name', 'badServer'),
  ),
  build('no URL', [google()], clustered({ server: 'api' }), fault('a server is a URL', 'badServer')),
  build(
    'a CA that is no PEM',
    [google()],
    clustered({ server, 'certificate-authority-data': 'dGVzdC1jYS1kYXRh' }),
    fault('a CA has certificates', 'badAuthority'),
  ),
  build(
    'another scheme of a proxy',
    [google()],
    clustered({ server, 'proxy-url': 'ftp://proxy' }),
    fault('three schemes, as kubectl has', 'badProxy'),
  ),
  build('another spelling of the server', [google()], clustered({ server: 'HTTPS://API.example.com:443/' }), {
    differs: { why: 'a server has one spelling', ours: [builtGoogle()] },
  }),
];

const configs: readonly Row[] = [
  ...[{ any: 'data' }, { deep: { list: [1, 'a', null, true] } }, ['a', 1], 'text', 7, true].map((value) =>
    build(`config ${JSON.stringify(value)}`, [google()], extended([execExtension, value])),
  ),
  build('config null', [google()], extended([execExtension, null])),
  build(
    'config with provideClusterInfo',
    [google({}, { provideClusterInfo: true })],
    extended([execExtension, { a: 1 }]),
  ),
  build('an extension that nobody knows', [google()], extended(['other', { a: 1 }])),
  build('an extension twice', [google()], extended([execExtension, { a: 1 }], [execExtension, { a: 2 }])),
  build('another extension twice', [google()], extended(['other', { a: 1 }], ['other', { a: 1 }])),
];

const additions: readonly Row[] = [
  build('arguments are not de-duplicated', [append], extended([args, ['own', '--a', '--a']])),
  build('no arguments', [append], extended([args, []])),
  build('arguments of null', [append], extended([args, null])),
  build('arguments of text', [append], extended([args, 'text'])),
  build('arguments of an object', [append], extended([args, { a: 'b' }])),
  build('arguments of lists', [append], extended([args, [['a']]])),
  build('arguments of text, ignored', [google()], extended([args, 'text'], [env, 'text'])),
  build('arguments of a number and a flag', [append], extended([args, ['--port', 1, true]])),
  build('an argument of null', [append], extended([args, ['a', null]]), fault(noText, 'badArguments')),
  build(
    'an argument with NUL',
    [append],
    extended([args, ['a\0b']]),
    fault('no program gets a NUL', 'badArguments'),
  ),
  build(
    '65 arguments',
    [append],
    extended([args, Array(65).fill('a')]),
    fault('what a profile adds is bounded', 'badArguments'),
  ),
  build(
    'variables where there are none',
    [google({ profileSourcedEnvVarsPolicy: 'Replace' })],
    extended([env, variables]),
  ),
  build('no variables', [envPolicy('Replace')], extended([env, {}])),
  build(
    'no variables, and none of its own',
    [google({ profileSourcedEnvVarsPolicy: 'AppendIfNotExists' })],
    extended([env, {}]),
  ),
  build('variables of a list', [envPolicy('Replace')], extended([env, ['A=b']])),
  build('variables of text', [envPolicy('AppendIfNotExists')], extended([env, 'A=b'])),
  build('a variable of an object', [envPolicy('Replace')], extended([env, { A: { b: 'c' } }])),
  build('empty values', [envPolicy('Replace')], extended([env, { CLIENT_ID: '' }])),
  build('a variable of a number', [envPolicy('Replace')], extended([env, { A: 1 }])),
  build(
    '= in a variable’s name',
    [envPolicy('Replace')],
    extended([env, { 'PATH=/evil:': '' }]),
    fault('the name’s end would be another', 'badVariables'),
  ),
  build(
    'a variable without a name',
    [envPolicy('Replace')],
    extended([env, { '': 'x' }]),
    fault('a variable has a name', 'badVariables'),
  ),
  build('variables of null', [envPolicy('AppendIfNotExists')], extended([env, null]), {
    differs: { why: 'the library panics', ours: [builtGoogle({ env: [['CLIENT_ID', 'None']] })] },
  }),
  build(
    'an unknown policy of arguments, with none',
    [google({ profileSourcedCLIArgsPolicy: 'x' })],
    listing('google'),
    fault(atLoad, 'policy'),
  ),
  build(
    'an unknown policy of arguments',
    [google({ profileSourcedCLIArgsPolicy: 'x' })],
    extended([args, ['a']]),
  ),
  build(
    'an unknown policy of variables',
    [google({ profileSourcedEnvVarsPolicy: 'Append' })],
    extended([env, { A: 'b' }]),
  ),
  build('Allow', [google({ profileSourcedCLIArgsPolicy: 'Allow' })], extended([args, ['a']]), {
    differs: { why: 'the KEP’s first text has Allow', ours: [builtGoogle({ args: ['own', 'a'] })] },
  }),
  build('the KEP’s first name of arguments', [append], extended([oldArgs, ['a']]), {
    differs: { why: oldName, ours: [builtGoogle({ args: ['own', 'a'] })] },
  }),
  build('the KEP’s first name of variables', [envPolicy('Replace')], extended([oldEnv, { A: 'b' }]), {
    differs: {
      why: oldName,
      ours: [
        builtGoogle({
          env: [
            ['A', 'b'],
            ['CLIENT_ID', 'None'],
          ],
        }),
      ],
    },
  }),
  build('both names of arguments', [append], extended([oldArgs, ['old']], [args, ['new']])),
  build(
    'variables that aren’t allowed',
    [envPolicy('Replace')],
    extended([env, { ...variables, PATH: '/evil' }]),
    {
      allowed: ['TENANT_ID'],
      differs: {
        why: 'a profile sets only the variables of allowedEnvVars',
        ours: [
          builtGoogle({
            env: [
              ['CLIENT_ID', 'None'],
              ['TENANT_ID', 'tenant-id'],
            ],
          }),
        ],
      },
    },
  ),
  build('a loader’s variable', [envPolicy('Replace')], extended([env, { LD_PRELOAD: '/evil.so' }]), {
    differs: {
      why: 'a loader’s variable reaches no plugin',
      ours: [builtGoogle({ env: [['CLIENT_ID', 'None']] })],
    },
  }),
];

const named = (name: string, argument: string, set: object) =>
  profile(
    {
      accessProviders: [
        {
          name: 'google',
          cluster: {
            server,
            extensions: [
              { name: args, extension: [argument] },
              { name: env, extension: set },
            ],
          },
        },
      ],
    },
    { metadata: { name, namespace: 'fleet' } },
  );
const leak =
  'the library changes the provider’s exec config: a profile gets another’s arguments and variables, and its own twice';

/** One configuration for several profiles. */
const shared: readonly Row[] = [
  build(
    'a profile, another, and the first again',
    [both('Replace')],
    [named('a', '--a', { A: 'a' }), named('b', '--b', { B: 'b' }), named('a', '--a', { A: 'a' })],
    {
      differs: {
        why: leak,
        ours: ['a', 'b', 'a'].map((each) =>
          builtGoogle({
            args: ['own', `--${each}`],
            env: [
              [each.toUpperCase(), each],
              ['CLIENT_ID', 'None'],
            ],
          }),
        ),
      },
    },
  ),
  build('profiles that add nothing', [both('Replace')], [listing('google'), listing('google')]),
];

const labels = { env: 'prod', tier: '', size: '12', 'example.com/team': 'a', in: 'notin' };
const selectors: readonly Row[] = [
  ...[
    '',
    ' ',
    'env',
    '!env',
    'none',
    '! none',
    'env=prod',
    'env==prod',
    ' env = prod ',
    'env!=prod',
    'none!=a',
    'none=',
    'tier=',
    'tier=,env',
  ],
  ...[
    'env in (dev,prod)',
    'env in(dev)',
    'env notin (dev)',
    'none notin (a)',
    'none in (a)',
    'tier in ()',
    'tier in (,a)',
    'tier in (a,)',
    'tier in (a,,b)',
  ],
  ...[
    'size>11',
    'size > 12',
    'size<13',
    'env>1',
    'size<9223372036854775807',
    'size>9223372036854775808',
    'size>',
    'size>a',
    'size>-1',
    'size>+1',
    'size>012',
  ],
  ...[
    'in=notin',
    'in in (in,notin)',
    'in notin (notin)',
    '!in',
    'notin',
    'in',
    'in in in',
    'example.com/team=a,env',
  ],
  ...[
    ',',
    'a,',
    'a,,b',
    ',a',
    'a b',
    'a=b c',
    'a=!b',
    'a>=1',
    '!a=b',
    '!!a',
    '!',
    '=b',
    'a in',
    'a in b',
    'a in (b',
    'a in (b c)',
    'a in (b) c',
    'a in (!b)',
    '(a)',
    'a!==b',
    'a===b',
  ],
  ...[
    'a/b/c',
    '/a',
    'a/',
    '-a',
    'A.b/c',
    'a=-b',
    'a=b/c',
    'a=b:c',
    `a=${'x'.repeat(63)}`,
    `a=${'x'.repeat(64)}`,
    `${'x'.repeat(64)}`,
    `${'p'.repeat(253)}/a`,
    `${'p'.repeat(254)}/a`,
  ],
  ...['a\u00a0', 'ä', 'a=ä', 'a\t=\tb\r\n', 'a\u000b', 'a in (b\n,c)'],
].map(
  (selector): Row => ({
    name: `selector: ${JSON.stringify(selector)}`,
    question: { op: 'selector', selector, labels },
  }),
);

/** The table: each one thing that the library, or `kubectl get -l`, does. */
export const rows: readonly Row[] = [
  ...ownCases,
  ...files,
  ...selection,
  ...endpoints,
  ...configs,
  ...additions,
  ...shared,
  ...selectors,
];
