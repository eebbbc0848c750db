import { BrokerError } from '../../../contract/broker-error.ts';
import type { PlanQuestion } from '../../../domain/import/import-plan.ts';
import { shownName } from '../../../domain/text/shown-name.ts';
import type { ImportSelection, PreparedImport } from '../../../kubeconfig/import/prepare.ts';
import { agreedPart } from '../../../operations/import/agreed-part.ts';
import {
  offlineAccessAsked,
  offlineAccessFact,
  questionAsked,
  sumAsked,
  wantsWholeWord,
} from '../../../operations/import/questions.ts';
import { hasWork } from '../../../operations/import/source-checks.ts';
import { askYes, type CommandCall } from '../command.ts';
import { questionText } from './import-text.ts';

/** The user reads the plan, and asks others. */
const personSeconds = 900;

/** Puts the plan's questions; contexts that got a No are left out. Throws `import.denied` where nothing is left to do. */
export async function agree(
  call: CommandCall,
  prepared: PreparedImport,
  again: (change: Partial<Pick<ImportSelection, 'contexts' | 'offlineAccess'>>) => Promise<PreparedImport>,
): Promise<PreparedImport> {
  if (!call.terminal.canPrompt) {
    throw new BrokerError('import.nobody', 'nothing was imported: there is no terminal to ask', {
      reason: 'denied',
      hint: 'review it with --dry-run, then use --yes',
    });
  }
  call.terminal.extend(personSeconds);
  const refused = new Set<string>();
  const yes: PlanQuestion[] = [];
  for (const question of prepared.plan.questions) {
    const about = question.contexts.filter((context) => !refused.has(context));
    if (about.length === 0) {
      continue;
    }
    // The facts are repeated at the question: a long plan has scrolled away.
    call.terminal.print(`\n${questionText(question)}\n`);
    const wholeWord = wantsWholeWord(question.kind);
    if (await askYes(call, questionAsked(question.kind, about), { wholeWord })) {
      yes.push(question);
    } else {
      call.terminal.print(`Not imported: ${about.map((name) => shownName(name)).join(', ')}\n`);
      for (const context of about) {
        refused.add(context);
      }
    }
  }
  const left = await agreedPart(prepared, yes, (contexts) => again({ contexts }));
  const agreed = (await wantsOfflineAccess(call, left.prepared))
    ? await again({ ...(left.contexts && { contexts: left.contexts }), offlineAccess: true })
    : left.prepared;
  if (!hasWork(agreed) || !(await askYes(call, sumAsked(agreed)))) {
    throw new BrokerError('import.denied', 'nothing was imported', { reason: 'denied' });
  }
  return agreed;
}

/** One more scope is the user's own wish: without it the accounts are as the kubeconfig has them. */
async function wantsOfflineAccess(call: CommandCall, { plan }: PreparedImport): Promise<boolean> {
  const { offlineAccess } = plan;
  if (offlineAccess === null || offlineAccess.added) {
    return false;
  }
  const { accounts } = offlineAccess;
  call.terminal.print(`\n${offlineAccessFact(accounts)}\n`);
  return askYes(call, offlineAccessAsked(accounts.length));
}
