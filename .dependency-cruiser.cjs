/** The borders between the parts (docs/ARCHITECTURE.md, "Layout"). A rule's comment says what to do instead. */
module.exports = {
  forbidden: [
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
      name: 'base-and-domain-do-no-io',
      severity: 'error',
      comment:
        'Pass the file, the clock or the network in through main/ports. node:crypto, node:util, node:path and node:url compute only.',
      from: { path: '^main/(base|domain)/', pathNot: '\\.test\\.ts$' },
      to: {
        dependencyTypes: ['core'],
        pathNot: '^(node:)?(crypto|util|path|url|net)$',
      },
    },
    {
      name: 'domain-is-pure',
      severity: 'error',
      comment: 'Domain rules know base and contract only.',
      from: { path: '^main/(base|domain)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^main/(?!base/|domain/|contract/)' },
    },
    {
      name: 'ports-are-interfaces',
      severity: 'error',
      comment:
        'A port knows no adapter and no part of the broker: types from base, contract and domain only.',
      from: { path: '^main/ports/', pathNot: '\\.test\\.ts$' },
      to: { path: '^main/(?!base/|domain/|contract/|ports/)' },
    },
    {
      name: 'doors-and-accounts-do-not-meet',
      severity: 'error',
      comment: 'Doors and accounts meet in the broker: hand over what is needed through a port.',
      from: { path: '^main/(doors|accounts)/([^/]+)/', pathNot: '\\.test\\.ts$|/testing/' },
      to: { path: '^main/(doors|accounts)/[^/]+/', pathNot: '^main/$1/$2/' },
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
      from: { path: '^(app|main|renderer|test|scripts)/', pathNot: '^app/(main|preload/[^/]+)\\.ts$' },
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
      comment: 'Views call the contract through renderer/stores; only main.tsx chooses a carrier.',
      from: { path: '^renderer/', pathNot: '^renderer/(api/|main\\.tsx|sample/)|\\.test\\.tsx?$' },
      to: { path: '^renderer/api/.*carrier', pathNot: '^renderer/api/carrier\\.ts$' },
    },
    {
      name: 'only-the-entries-wire',
      severity: 'error',
      comment: 'Wiring belongs to broker.ts, start-broker.ts and run-agent.ts.',
      from: { path: '^main/.+/', pathNot: '\\.test\\.ts$' },
      to: { path: '^main/(broker|start-broker|run-agent|agent)\\.ts$' },
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment: 'An import that resolves to nothing.',
      from: {},
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
