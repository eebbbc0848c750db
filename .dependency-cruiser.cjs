/**
 * The floors of main, from the ground up: a folder imports only from the floors below its own, and from itself.
 * Two folders on one floor don't know each other.
 */
const floors = [
  ['base', 'contract'],
  ['domain'],
  ['ports'],
  ['config', 'vault', 'grants', 'history'],
  ['platform'],
  ['accounts', 'kubernetes', 'proxy', 'registries'],
  ['access', 'inventory'],
  ['kubeconfig'],
  ['doctor', 'installed'],
  ['operations'],
  ['consent'],
  ['doors'],
  ['broker'],
  ['start'],
];

/** What does no input or output: all it needs is passed in. */
const pureCode = '^main/(base|domain|.+/rules)/';

/** For each folder of main: it imports from the floors below and from itself alone. */
const floorRules = floors.flatMap((folders, floor) =>
  folders.map((folder) => {
    const below = [...floors.slice(0, floor).flat(), folder].join('|');
    return {
      name: `main-${folder}-knows-the-floors-below`,
      severity: 'error',
      comment: `Move what both need below, or pass it in: main/${folder} may import from main/(${below}).`,
      from: { path: `^main/${folder}/`, pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: `^main/(?!(${below})/)` },
    };
  }),
);

/** The borders between the parts (docs/ARCHITECTURE.md, "Layout"). A rule's comment says what to do instead. */
module.exports = {
  forbidden: [
    ...floorRules,
    {
      name: 'every-folder-of-main-has-a-floor',
      severity: 'error',
      comment: 'Give the new folder its place in `floors` above; no file lies in main itself.',
      from: {},
      to: { path: `^main/(?!(${floors.flat().join('|')})/)` },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      comment: 'Move what both sides need into the lower layer.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'contract-imports-schemas-only',
      severity: 'error',
      comment: 'main/contract is read by every side: it may import zod and itself only.',
      from: { path: '^main/contract/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(main/contract/|node_modules/zod/)' },
    },
    {
      name: 'pure-code-does-no-io',
      severity: 'error',
      comment:
        'Pass the file, the clock or the network in through main/ports. node:crypto, node:util, node:path and node:url compute only.',
      from: { path: pureCode, pathNot: '\\.test\\.ts$' },
      to: {
        dependencyTypes: ['core'],
        pathNot: '^(node:)?(crypto|util|path|url|net)$',
      },
    },
    {
      name: 'rules-are-pure',
      severity: 'error',
      comment:
        'Rules with one user lie beside it, in a folder `rules`. They know base, contract, domain and each other.',
      from: { path: '^main/(.+)/rules/', pathNot: '\\.test\\.ts$' },
      to: { path: '^main/(?!base/|domain/|contract/)', pathNot: '^main/$1/rules/' },
    },
    {
      name: 'doors-and-accounts-do-not-meet',
      severity: 'error',
      comment: 'Doors and accounts meet in the broker: hand over what is needed through a port.',
      from: { path: '^main/(doors|accounts)/([^/]+)/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^main/(doors|accounts)/[^/]+/', pathNot: '^main/$1/$2/|^main/accounts/plugins/' },
    },
    {
      name: 'main-stands-alone',
      severity: 'error',
      comment: 'The broker runs under plain Node: it never imports the shell, the UI or tests.',
      from: { path: '^main/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(app|renderer|test|scripts)/|node_modules/electron/' },
    },
    {
      name: 'only-the-entry-has-electron',
      severity: 'error',
      comment:
        'Electron comes in through app/main.ts as an ElectronModule (app/electron.ts), so that all else runs on the stand-in.',
      from: {
        path: '^(app|main|renderer|test|scripts)/',
        // What stands in for parts of a real, older Electron, and starts it.
        pathNot: '^app/(main|preload/[^/]+)\\.ts$|^test/real-electron/(shims|default-app)/',
      },
      to: { path: 'node_modules/electron/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-preload-is-alone',
      severity: 'error',
      comment: 'It runs sandboxed beside the page: the contract and Electron are all it may know.',
      from: { path: '^app/preload/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^(app/preload/|app/ipc/channels\\.ts|main/contract/)|node_modules/electron/' },
    },
    {
      name: 'the-shell-stands-on-the-broker',
      severity: 'error',
      comment: 'The renderer is loaded as files, by its own scheme; tests stand on the app, not under it.',
      from: { path: '^app/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^(renderer|test|scripts)/' },
    },
    {
      name: 'renderer-knows-the-contract-alone',
      severity: 'error',
      comment:
        'The page sees no secret and no part of the broker: ask for what it needs through main/contract/ui.',
      from: { path: '^renderer/', pathNot: '\\.test\\.tsx?$' },
      to: { path: '^(main/(?!contract/)|app|test|scripts)', pathNot: '^main/contract/' },
    },
    {
      name: 'renderer-runs-in-a-browser',
      severity: 'error',
      comment: 'Nothing of Node is there.',
      from: { path: '^renderer/', pathNot: '\\.test\\.tsx?$|(vite\\.config|without-json-schema)\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'only-the-api-knows-the-carrier',
      severity: 'error',
      comment: 'Views call the contract through renderer/stores; only main.ts chooses a carrier.',
      from: { path: '^renderer/', pathNot: '^renderer/(api/|main\\.ts$|sample/|dev/)|\\.test\\.tsx?$' },
      to: { path: '^renderer/api/.*carrier', pathNot: '^renderer/api/carrier\\.ts$' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that resolves to nothing.',
      // The shims have packages of their own (test/real-electron/package.json).
      from: { pathNot: '^test/real-electron/shims/' },
      to: { couldNotResolve: true, pathNot: '^(keytar)$' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
    },
  },
};
