import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, resolve } from 'node:path';
import { counted } from '../../contract/ui/count-text.ts';
import type { KubeUserKind } from '../../domain/import/import-plan.ts';
import {
  classifyUser,
  describeUser,
  holdsSecretArguments,
  plainSecretsOf,
  plainSecretsOfClusters,
} from '../../domain/import/index.ts';
import type { KubeconfigFile, KubeUser, MergedKubeconfig } from '../../domain/import/kubeconfig.ts';
import { closeCommand } from '../../domain/text/close-command.ts';
import { observe } from '../../domain/text/finding.ts';
import { shellWord } from '../../domain/text/shell-line.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import type { AccessLists } from '../../ports/access-lists.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Check, firstOf, listed, type Observed } from '../check.ts';
import { isSame } from './on-path-check.ts';
import type { UserEnvironment } from './user-environment.ts';

export interface KubeconfigCheckDeps {
  person: UserEnvironment;
  /** The caller's kubeconfigs, read once for all checks. */
  read(): Promise<MergedKubeconfig>;
  /** Reads one of them alone, like an import that names it. */
  readAlone(path: string): Promise<MergedKubeconfig>;
  /** Paths of the home’s helper and its managed kubeconfig. */
  paths: { helper: string; kubeconfig: string };
  clock: Pick<Clock, 'now'>;
  /** Null where modes count, or access lists can’t be read. */
  access: AccessLists | null;
}

const problemLimit = 10;
const lockMilliseconds = 10_000;

/** The kubeconfigs that the caller's kubectl reads. */
export function kubeconfigCheck(deps: KubeconfigCheckDeps): Check {
  return {
    group: 'kubeconfigs',
    name: 'kubeconfig',
    subject: null,
    run: async () => {
      const merged = await deps.read();
      const users = [...merged.users.values()];
      const found: Observed[] = [];
      for (const file of merged.files) {
        const own = users.filter((user) => user.origin.file === file.path);
        const all = [
          ...observeProblems(merged, file),
          ...(await observePlaintext(file, [...own, ...hiddenUsers(merged, file)], merged, deps)),
          ...observeRefused(own),
          ...(await observeHelpers(own, deps)),
          ...observeMode(file, [...own, ...hiddenUsers(merged, file)], deps),
          ...(await observeLock(file, deps)),
        ];
        if (file.text !== null && all.length === 0) {
          all.push(
            observe('kubeconfig').ok(`${counted(own.length, 'user')}, none with a secret in plain text`),
          );
        }
        found.push(...all.map((each) => ({ ...each, subject: file.path })));
      }
      const paths = new Set(merged.files.map(({ path }) => path));
      const others = merged.problems.filter(({ file }) => !paths.has(file));
      found.push(
        ...others.map(({ file, message }) => ({
          ...observe('kubeconfig.problem').warning(message),
          subject: file,
        })),
      );
      return [...found, ...observeUse(merged, users, deps)];
    },
  };
}

/** The files whose entries for Lanyard have apiVersion v1. */
export async function v1Files(deps: Pick<KubeconfigCheckDeps, 'read'>): Promise<string[]> {
  const { users } = await deps.read();
  const files = [...users.values()]
    .filter((user) => isLanyard(user) && user.exec?.apiVersion === 'client.authentication.k8s.io/v1')
    .map((user) => user.origin.file);
  return [...new Set(files)];
}

/** Users hidden by one of the same name in an earlier file: their secrets are in this file all the same. */
function hiddenUsers({ hidden }: MergedKubeconfig, { path }: KubeconfigFile): KubeUser[] {
  return hidden.flatMap((each) => (each.what === 'user' && each.origin.file === path ? [each.user] : []));
}

function isLanyard(user: KubeUser): boolean {
  return classifyUser(user) === 'lanyard';
}

function observeProblems({ problems }: MergedKubeconfig, { path }: KubeconfigFile): Observed[] {
  const found = observe('kubeconfig.problem');
  const own = problems.filter(({ file }) => file === path);
  const { shown, more } = firstOf(own, problemLimit);
  const all = shown.map(({ severity, line, column, message }) => {
    const place = line === null ? '' : `line ${line}${column === null ? '' : `, column ${column}`}: `;
    const text = `${place}${visibleText(message, 300)}`;
    return severity === 'error' ? found.problem(text, `edit ${path}`) : found.warning(text);
  });
  return more === 0 ? all : [...all, found.warning(`${more} more errors and warnings`)];
}

async function observePlaintext(
  file: KubeconfigFile,
  entries: readonly KubeUser[],
  merged: MergedKubeconfig,
  { readAlone }: Pick<KubeconfigCheckDeps, 'readAlone'>,
): Promise<Observed[]> {
  const found = observe('kubeconfig.plaintext');
  const inside = entries.filter((user) => holdsSecret(user));
  // An import of this file alone also takes what another file hides (the managed one has contexts of the same names).
  const alone = inside.every((user) => canBeTaken(user, merged)) ? merged : await readAlone(file.path);
  const taken = inside.filter((user) => canBeTaken(user, merged) || canBeTaken(user, alone));
  const left = inside.filter((user) => !taken.includes(user));
  const beside = entries.filter((user) => !holdsSecret(user) && plainSecretsOf(user).length > 0);
  const inAddresses = plainSecretsOfClusters(merged).filter((each) => each.file === file.path);
  const take = `lanyard kubeconfig import --in-place ${shellWord(file.path)}`;
  const remove = `where nothing needs them: kubectl config delete-user NAME --kubeconfig ${shellWord(file.path)}`;
  return [
    ...(taken.length === 0 ? [] : [found.warning(`secrets in plain text, of ${names(taken)}`, take)]),
    ...(left.length === 0
      ? []
      : [found.warning(`secrets in plain text that no import takes, of ${names(left)}`, remove)]),
    ...(inAddresses.length === 0
      ? []
      : [
          found.warning(
            `in plain text: ${listed(inAddresses.map(({ what, line }) => `${what} (line ${line})`))}`,
            'a proxy’s address with its password belongs in HTTPS_PROXY where kubectl runs, in place of proxy-url',
          ),
        ]),
    ...(beside.length === 0
      ? []
      : [found.note(`it names files with secrets in plain text, of ${names(beside)}`)]),
  ];
}

const takenKinds: ReadonlySet<KubeUserKind> = new Set([
  'staticToken',
  'clientCertificate',
  'authProviderOidc',
  'kubelogin',
  'execPlugin',
]);

/** Whether an import takes the user: of such a kind, and used by a complete context. It doesn’t see hidden users. */
function canBeTaken(user: KubeUser, { users, contexts, clusters }: MergedKubeconfig): boolean {
  return (
    takenKinds.has(classifyUser(user)) &&
    // Other users see a secret in a plugin’s arguments, wherever it is from.
    !(classifyUser(user) === 'execPlugin' && holdsSecretArguments(user)) &&
    users.get(user.name)?.origin.file === user.origin.file &&
    [...contexts.values()].some((context) => context.user === user.name && clusters.has(context.cluster))
  );
}

/** Whether the kubeconfig itself has a secret in plain text. */
function holdsSecret(user: KubeUser): boolean {
  return plainSecretsOf(user).some(({ line }) => line !== null);
}

function observeRefused(users: readonly KubeUser[]): Observed[] {
  const found = observe('kubeconfig.user');
  return users
    .map((user) => ({ user, is: describeUser(user) }))
    .filter(({ is }) => is.kind === 'invalid' || is.kind === 'placeholder')
    .slice(0, problemLimit)
    .map(({ user, is }) => found.warning(`user ${visibleText(user.name, 100)}: ${is.description}`));
}

function names(users: readonly KubeUser[]): string {
  return listed(users.map(({ name }) => visibleText(name, 100)));
}

async function observeHelpers(users: readonly KubeUser[], deps: KubeconfigCheckDeps): Promise<Observed[]> {
  const found = observe('kubeconfig.helper');
  const byHelper = new Map<string, KubeUser[]>();
  for (const user of users.filter(isLanyard)) {
    const command = user.exec?.command ?? '';
    const path = await commandPath(command, user.origin.file, deps.person);
    byHelper.set(path ?? command, [...(byHelper.get(path ?? command) ?? []), user]);
  }
  const all: Observed[] = [];
  const again = 'lanyard kubeconfig write, or lanyard kubeconfig import --in-place';
  for (const [path, of] of byHelper) {
    const shown = visibleText(path, 300);
    if (!(await isThere(path))) {
      all.push(found.problem(`the helper of ${names(of)} is not there: ${shown}`, again));
    } else if (path !== deps.paths.helper && !(await isSame(path, deps.paths.helper))) {
      all.push(
        found.warning(
          `${names(of)} run ${shown}, which is not this home’s helper, ${deps.paths.helper}`,
          again,
        ),
      );
    } else {
      all.push(found.ok(`${names(of)} run this home’s helper`));
    }
  }
  return all;
}

/** The path as client-go finds it: with a separator relative to the kubeconfig’s folder, else on the PATH. */
async function commandPath(command: string, file: string, person: UserEnvironment): Promise<string | null> {
  return isAbsolute(command) || /[\\/]/.test(command)
    ? resolve(dirname(file), command)
    : ((await person.program(command))?.path ?? null);
}

function isThere(path: string): Promise<boolean> {
  return isAbsolute(path)
    ? stat(path).then(
        (facts) => facts.isFile(),
        () => false,
      )
    : Promise.resolve(false);
}

function observeMode(
  { path, text: content, mode }: KubeconfigFile,
  users: readonly KubeUser[],
  { access }: Pick<KubeconfigCheckDeps, 'access'>,
): Observed[] {
  const found = observe('kubeconfig.mode');
  const hint = closeCommand(path, 'file');
  if (content !== null && access !== null && isOpen(path, access)) {
    // An access list tells no more than that.
    return [found.warning('other users can read or change it', hint)];
  }
  if (mode === null || (mode & 0o077) === 0) {
    return [];
  }
  const text = `other users can ${(mode & 0o022) === 0 ? 'read' : 'change'} it (mode ${mode.toString(8)})`;
  // Who may change the file chooses the programs that kubectl runs.
  return [
    (mode & 0o022) !== 0 || users.some(holdsSecret) ? found.warning(text, hint) : found.note(text, hint),
  ];
}

function isOpen(path: string, access: AccessLists): boolean {
  try {
    return access.isOpen(path);
  } catch {
    return false;
  }
}

async function observeLock({ path }: KubeconfigFile, { clock }: KubeconfigCheckDeps): Promise<Observed[]> {
  const lock = `${path}.lock`;
  const facts = await stat(lock).catch(() => null);
  // kubectl’s own lock lasts a moment.
  return facts === null || clock.now() - facts.mtimeMs < lockMilliseconds
    ? []
    : [
        observe('kubeconfig.lock').warning(
          `a lock is left over, ${lock}: kubectl config changes nothing while it is there`,
          `where no kubectl config runs: rm ${shellWord(lock)}`,
        ),
      ];
}

function observeUse(
  merged: MergedKubeconfig,
  users: readonly KubeUser[],
  deps: KubeconfigCheckDeps,
): Observed[] {
  const found = observe('kubeconfig.use');
  const read = merged.files.filter(({ text }) => text !== null);
  if (read.length === 0) {
    return [
      found.note(`there is no kubeconfig at ${listed(merged.files.map(({ path }) => path))}`, 'lanyard env'),
    ];
  }
  return users.some(isLanyard) || read.some(({ path }) => path === deps.paths.kubeconfig)
    ? []
    : [
        found.note(
          'no kubeconfig that kubectl reads here uses lanyard',
          'lanyard env prints the line that makes it so',
        ),
      ];
}
