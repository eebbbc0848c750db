/**
 * The ways in which people and tools write a kubeconfig, each with the users `alice` (a token and more) and `bob`, the
 * contexts `work` (alice) and `home` (bob), and something besides that must stay as it is.
 */
export const kubeconfigLayouts: Readonly<Record<string, string>> = {
  'as kubectl writes': `apiVersion: v1
clusters:
- cluster:
    server: https://one.example
  name: one
contexts:
- context:
    cluster: one
    user: bob
  name: home
- context:
    cluster: one
    namespace: web
    user: alice
  name: work
current-context: work
kind: Config
preferences: {}
users:
- name: alice
  user:
    client-certificate-data: bm90IGEgY2VydGlmaWNhdGU=
    client-key-data: bm90IGEga2V5
    token: of-alice
- name: bob
  user:
    token: of-bob
`,
  'by hand, with comments': `# my clusters
apiVersion: v1
kind: Config

clusters:
  - name: one   # the first
    cluster: { server: 'https://one.example' }

users:
  # people
  - name: alice # that's me
    user:
      # the token expires in May
      token: "of-alice" # don't share
      as: admin  # as somebody else
      as-groups: [ops,   dev]
      # at the end

  - name: bob
    # bob's own
    user: {token: of-bob}

contexts:
  - {name: home, context: {cluster: one, user: bob}}
  - name: work
    context:
      cluster: one
      user: alice # who I am there
      namespace: web

current-context: work # for now
`,
  'without a last line break': `kind: Config
apiVersion: v1
clusters: [{name: one, cluster: {server: "https://one.example"}}]
contexts:
- name: work
  context: {cluster: one, user: alice}
- name: home
  context: {cluster: one, user: bob}
users:
- name: bob
  user:
    token: of-bob
- name: alice
  user:
    username: alice
    password: of-alice`,
  'carriage returns': `kind: Config
clusters:
- name: one
  cluster:
    server: https://one.example
users:
- name: alice
  user:
    as: admin
    client-key-data: |
      bm90IGEg
      a2V5
    token: of-alice
- name: bob
  user:
    token: of-bob
contexts:
- name: work
  context:
    cluster: one
    user: 'alice'
- name: home
  context:
    cluster: one
    user: "bob"
current-context: 'work'
`.replaceAll('\n', '\r\n'),
  'json over lines': `${JSON.stringify(asValue(), null, 2)}\n`,
  'json with tabs': JSON.stringify(asValue(), null, '\t'),
  'json on one line': JSON.stringify(asValue()),
  'flow with room': `{ kind: Config, current-context: work,
  clusters: [ { name: one, cluster: { server: "https://one.example" } } ], # the only one
  users: [ { name: alice, user: { as: admin, token: of-alice, username: alice, password: x } }, { name: bob, user: { token: of-bob, }, }, ],
  contexts: [ { name: work, context: { cluster: one, user: alice } }, { context: { user: bob, cluster: one }, name: home } ] }
`,
  'wide steps, dashes apart': `kind: Config
clusters:
    -   name: one
        cluster:
            server: https://one.example
contexts:
    -   name: work
        context:
            user: alice
            cluster: one
    -
        name: home
        context:
            user: bob
            cluster: one
users:
    -
        user:
            auth-provider:
                name: oidc
                config:
                    id-token: of-alice
                    # inside
                # still inside
            # after it
        name: alice
    -   user:
            exec:
                apiVersion: client.authentication.k8s.io/v1beta1
                command: old
                args:
                    - --one
            tokenFile: /run/token
            extensions:
                -   name: mine
                    extension: {kept: true}
        name: bob
current-context: home
`,
  'nothing in the users': `kind: Config
clusters:
- name: one
  cluster: {server: "https://one.example"}
contexts:
- context: {cluster: one, user: alice}
  name: work
- context: {cluster: one, user: bob}
  name: home
users:
- name: alice
  user: null # nothing yet
- user: {}
  name: bob
`,
  'a user without a value': `kind: Config
clusters:
- name: one
  cluster: {server: "https://one.example"}
contexts:
- context: {cluster: one, user: alice}
  name: work
- context: {cluster: one, user: bob}
  name: home
users:
- name: alice
  user:
- name: bob
# the end
`,
  'aliases and merges': `kind: Config
clusters:
- name: one
  cluster: &cluster
    server: https://one.example
- name: two
  cluster: *cluster
x-defaults: &defaults
  as: admin
  token: shared
x-plain: &plain
  as-groups: [ops]
users:
- name: alice
  user:
    <<: *defaults
    username: alice
    password: of-alice
- name: bob
  user: *defaults
- name: carol
  user:
    <<: [*plain, *defaults]
contexts:
- name: work
  context: &context
    cluster: one
    user: alice
- name: home
  context:
    <<: *context
    user: bob
`,
  'two documents': `--- # the first
kind: Config
clusters:
- name: one
  cluster:
    server: https://one.example
contexts:
- name: work
  context:
    cluster: one
    user: alice
- name: home
  context:
    cluster: one
    user: bob
users:
- name: alice
  user:
    token: >-
      of
      alice

- name: bob
  user:
    token: of-bob
# before the next
---
users:
- name: alice
  user: {token: other}
`,
  'keys that no one knows': `\ufeffkind: Config
my-tool: {last: 2026-01-01, on: yes}
clusters:
- name: one
  cluster:
    server: https://one.example
    colour: red
users:
- my-tool: [1, 0x1f, 1_000]
  name: alice
  user:
    my-tool: {a: ~}
    token: 'of-alice'
    client-certificate: ./alice.pem
    client-key: ./alice.key
    as-uid: "0o7"
- name: bob
  user: {"token":"of-bob","my-tool":1}
contexts:
- name: work
  context:
    cluster: one
    user: alice
    colour: green
- name: home
  context: {"cluster":"one","user":"bob"}
`,
};

function asValue() {
  return {
    kind: 'Config',
    apiVersion: 'v1',
    clusters: [{ name: 'one', cluster: { server: 'https://one.example' } }],
    users: [
      { name: 'alice', user: { token: 'of-alice', as: 'admin', password: 'x', username: 'alice' } },
      { name: 'bob', user: { token: 'of-bob' } },
    ],
    contexts: [
      { name: 'work', context: { cluster: 'one', user: 'alice', namespace: 'web' } },
      { name: 'home', context: { cluster: 'one', user: 'bob' } },
    ],
  };
}

/** An `exec` with values that YAML 1.1 reads as another type where they stand without quotes. */
export const hardExec = {
  apiVersion: 'client.authentication.k8s.io/v1beta1',
  command: '/home/me/.local/share/lanyard/bin/lanyard',
  args: [
    'kube-credential',
    '--cluster',
    'on',
    'y',
    '~',
    '1_0',
    '0o7',
    '017',
    '1:30',
    '.inf',
    '-',
    '',
    'a: b',
    '#c',
  ],
  env: [
    { name: 'NO', value: 'no' },
    { name: 'LINES', value: 'a\nb\u2028c "d" \\e' },
  ],
  interactiveMode: 'IfAvailable',
  provideClusterInfo: true,
  installHint: 'see https://lanyard.example (it’s free): {x}',
};
