import { BrokerError } from '../../contract/broker-error.ts';
import type { PreparedImport } from '../../kubeconfig/import/prepare.ts';
import { askYes, type CommandCall } from './command.ts';
import { questionText } from './import-text.ts';

/** A person reads the plan, and asks somebody. */
const personSeconds = 900;

/** Puts the plan's questions; contexts that got a No are left out. Throws `import.denied` where nothing is left to do. */
export async function agree(
  call: CommandCall,
  prepared: PreparedImport,
  again: (contexts: readonly string[]) => Promise<PreparedImport>,
): Promise<PreparedImport> {
  if (!call.terminal.canPrompt) {
    throw new BrokerError('import.nobody', 'nothing was imported: nobody can be asked here', {
      reason: 'denied',
      hint: 'look at the plan, and say --yes',
    });
  }
  call.terminal.extend(personSeconds);
  const refused = new Set<string>();
  for (const question of prepared.plan.questions) {
    const about = question.contexts.filter((context) => !refused.has(context));
    if (about.length === 0) {
      continue;
    }
    // The facts stand where the answer is given: a plan of many lines has scrolled away.
    call.terminal.print(`\n${questionText(question)}\n`);
    const wholeWord = question.kind === 'insecure';
    if (!(await askYes(call, wording(question.kind, about.length), { wholeWord }))) {
      for (const context of about) {
        refused.add(context);
      }
    }
  }
  const left = prepared.plan.clusters
    .filter(({ context, becomes }) => 'cluster' in becomes && !refused.has(context))
    .map(({ context }) => context);
  const agreed = refused.size === 0 ? prepared : await again(left);
  if (!hasWork(agreed) || !(await askYes(call, sumText(agreed)))) {
    throw new BrokerError('import.denied', 'nothing was imported', { reason: 'denied' });
  }
  return agreed;
}

/** There is something to write. */
export function hasWork({ edits, files }: PreparedImport): boolean {
  return edits.length > 0 || files.length > 0;
}

function wording(kind: PreparedImport['plan']['questions'][number]['kind'], count: number): string {
  const contexts = count === 1 ? 'this context' : `these ${count} contexts`;
  switch (kind) {
    case 'replaces':
      return `Replace what Lanyard has of ${contexts} by what is there now?`;
    case 'unknownAuthority':
      return `Trust the servers of ${contexts}?`;
    case 'insecure':
      return `Nobody checks who answers for ${contexts}. Import them all the same?`;
    case 'sharedAudience':
      return `Import ${contexts} with the token they share?`;
  }
}

function sumText({ plan, edits, files }: PreparedImport): string {
  const accounts = plan.users.flatMap(({ becomes }) =>
    'account' in becomes && becomes.replaces ? [becomes.account] : [],
  );
  const clusters = plan.clusters.flatMap(({ becomes }) =>
    'cluster' in becomes && becomes.replaces !== null ? [becomes.cluster] : [],
  );
  const replaced = { setAccount: new Set(accounts), setCluster: new Set(clusters) };
  const count = (kind: 'setAccount' | 'setCluster', isReplaced: boolean) =>
    edits.filter((edit) => edit.kind === kind && replaced[kind].has(edit.name) === isReplaced).length;
  const does = (verb: string, isReplaced: boolean) => {
    const counted = [
      counts(count('setAccount', isReplaced), 'account'),
      counts(count('setCluster', isReplaced), 'cluster'),
    ].flat();
    return counted.length === 0 ? [] : [`${verb} ${counted.join(' and ')}`];
  };
  const edited = files.map(({ path }) => path).join(', ');
  const all = [
    ...does('import', false),
    ...does('replace', true),
    ...(edited === '' ? [] : [`edit ${edited}`]),
  ].join(', and ');
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}?`;
}

function counts(count: number, what: string): string[] {
  return count === 0 ? [] : [`${count} ${what}${count === 1 ? '' : 's'}`];
}
