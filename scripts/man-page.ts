import { readFileSync } from 'node:fs';
import { type CommandRow, optionText, readCommandTable } from './command-table.ts';

interface PathTable {
  home: Record<'variable', string> & Record<'linux' | 'darwin' | 'win32', unknown>;
  configHome: Record<'linux' | 'darwin' | 'win32', string[]>;
  files: Record<string, string>;
}

const root = new URL('../', import.meta.url);
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, root), 'utf8'));

/** What each file of the home is; config.yaml has a place of its own on Linux. */
export const fileTexts: Readonly<Record<string, string>> = {
  config: 'Accounts and clusters; no secrets.',
  vault: 'Everything secret, encrypted; its key is in the keychain or under a passphrase.',
  previousVault: 'The vault’s previous generation.',
  kubeconfig: 'The managed kubeconfig; no secrets.',
  socket: 'Where the agent listens.',
  lock: 'Held by the one agent of this home.',
  start: 'How the helper starts the agent.',
  log: 'What an agent writes that the helper started; 5 MiB at most.',
  earlierLog: 'What it wrote before those.',
  history: 'What was issued, to whom, and why; no secrets.',
  kubeconfigs: 'Kubeconfigs of the caller that were seen, and what was said about them.',
  userContexts:
    'Where you want contexts of Lanyard\u2019s, and which entries of your kubeconfigs are its own.',
  terminals: 'The kubeconfigs of terminals that the window opened; no secrets.',
  inventories: 'What each inventory listed last: one file each; no secrets.',
  usedProfiles: 'Which profiles are in use, and the context of each; no secrets.',
  installed: 'What was put outside this folder, for lanyard uninstall.',
  installedLock: 'Held by whoever writes that list.',
  uiRedirect: 'Opens the UI in a browser; there for a minute at most.',
  desktop: 'What the desktop app’s browser engine keeps. No secrets.',
  desktopMemory: 'What the desktop app told you, and until when it tells nothing; names, no secrets.',
  windowRedirect: 'The same for a window in which something is confirmed or a secret typed.',
  proxyClients: 'Which processes may use the request proxy, by process id and program; no secrets.',
  proxySockets: 'The folder of the Unix sockets that clients with a lock file get of the request proxy.',
  helper: 'The helper at its stable place, which kubeconfigs name.',
};

const variableTexts: readonly [string, string][] = [
  [
    'LANYARD_HOME',
    'The folder that holds everything, config.yaml included, in the place of the usual ones. With it set no agent is started automatically.',
  ],
  ['LANYARD_NO_START', 'Set to anything, no agent is started automatically.'],
  ['KUBECONFIG', 'Which kubeconfigs kubectl reads; see lanyard kubeconfig write.'],
  [
    'KUBERNETES_EXEC_INFO',
    'Set by Kubernetes clients for their credential plugins. With it set only kube-credential and cluster-credential can be run.',
  ],
  ['NO_COLOR', 'Set to anything, the output has no colours (no-color.org).'],
  [
    'HTTPS_PROXY, HTTP_PROXY, NO_PROXY',
    'Proxies on the way to an OpenID provider, as the agent was started with them.',
  ],
  ['HOME, XDG_CONFIG_HOME, XDG_DATA_HOME', 'Where the usual folders are.'],
];

/** The manual page, in the man(7) macros, from the tables that the help is made of. */
export function manPage(): string {
  const table = readCommandTable();
  const paths = read('main/contract/paths.json') as PathTable;
  const { version } = read('package.json') as { version: string };
  const { program, commands } = table;
  return `${[
    `.\\" Made by npm run generate from main/contract/commands.json and paths.json.`,
    `.TH LANYARD 1 "" "Lanyard ${version}" "Lanyard"`,
    // No hyphens in commands, no stretched lines.
    '.nh',
    '.ad l',
    '.SH NAME',
    `${program} \\- credentials for Kubernetes tools from one encrypted vault`,
    '.SH SYNOPSIS',
    `.B ${program}`,
    '.I command',
    '.RI [ options ]',
    '.br',
    `.B kubectl ${program}`,
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    text(table.summary),
    '.PP',
    text(
      'An agent holds the credentials and decides; this program asks it. kubectl and other clients run it as a credential plugin (kube-credential), people as a command line. Where no agent runs it is started, unless told otherwise.',
    ),
    '.SH COMMANDS',
    ...commands.flatMap(commandLines),
    '.SH ENVIRONMENT',
    ...variableTexts.flatMap(([name, said]) => ['.TP', bold(name), text(said)]),
    '.SH FILES',
    text(
      `All under one folder, for its owner alone: ${placesText(paths.home.linux)} on Linux, ${placesText(paths.home.darwin)} on macOS, ${placesText(paths.home.win32)} on Windows, or ${paths.home.variable}. config.yaml is at ${placesText(paths.configHome.linux)} on Linux, at ${placesText(paths.configHome.win32)} on Windows.`,
    ),
    ...Object.entries(paths.files).flatMap(([name, file]) => [
      '.TP',
      italic(file),
      text(fileTexts[name] ?? ''),
    ]),
    '.SH EXIT STATUS',
    ...table.exitCodes.flatMap(([code, meaning]) => ['.TP', bold(String(code)), text(meaning)]),
    '.SH SEE ALSO',
    '.BR kubectl (1)',
  ].join('\n')}\n`;
}

function commandLines({ name, usage, summary, options, examples = [], notes }: CommandRow): string[] {
  const usages = usage.split('\n').map((line) => line.trim());
  return [
    `.SS ${escaped(name)}`,
    ...usages.flatMap((line, index) => [...(index === 0 ? [] : ['.br']), bold(line)]),
    '.PP',
    `${text(summary)}.`,
    ...options.flatMap((each) => ['.TP', bold(each.option), text(optionText(each))]),
    ...examples.flatMap(([line = '', about = '']) => ['.TP', bold(line), text(`Example: ${about}.`)]),
    ...notes.flatMap((note) => ['.PP', note.split('\n').map(text).join('\n.br\n')]),
  ];
}

function placesText(places: unknown): string {
  return (places as string[]).join(' or ');
}

function bold(line: string): string {
  return `.B ${quoted(line)}`;
}

function italic(line: string): string {
  return `.I ${quoted(line)}`;
}

/** One argument of a macro: groff_man(7) ends one at a space. */
function quoted(line: string): string {
  return `"${escaped(line).replaceAll('"', '\\(dq')}"`;
}

/** A line of text: a dot or quote at its front would be a request. */
function text(line: string): string {
  return escaped(line.trim()).replace(/^[.']/, '\\&$&');
}

/** What is special to roff, and characters that it writes by names (groff_char(7)). */
function escaped(line: string): string {
  const named: Readonly<Record<string, string>> = {
    '\\': '\\e',
    '-': '\\-',
    '~': '\\(ti',
    '^': '\\(ha',
    '`': '\\(ga',
    '’': '\\(cq',
    '“': '\\(lq',
    '”': '\\(rq',
  };
  return line.replace(/[\\\-~^`]|[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return named[character] ?? `\\[u${code.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}
