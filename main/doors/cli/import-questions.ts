import { BrokerError } from '../../contract/broker-error.ts';
import type { PreparedImport } from '../../kubeconfig/import/prepare.ts';
import { contextsLeft, questionAsked, sumAsked, wantsWholeWord } from '../../operations/import/questions.ts';
import { hasWork } from '../../operations/import/source-checks.ts';
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
    const wholeWord = wantsWholeWord(question.kind);
    if (!(await askYes(call, questionAsked(question.kind, about.length), { wholeWord }))) {
      for (const context of about) {
        refused.add(context);
      }
    }
  }
  const agreed = refused.size === 0 ? prepared : await again(contextsLeft(prepared, refused));
  if (!hasWork(agreed) || !(await askYes(call, sumAsked(agreed)))) {
    throw new BrokerError('import.denied', 'nothing was imported', { reason: 'denied' });
  }
  return agreed;
}
