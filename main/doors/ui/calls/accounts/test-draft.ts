import { BrokerError } from '../../../../contract/broker-error.ts';
import type { AccountDraft, DraftProblem, TestFinding } from '../../../../contract/ui/calls/accounts.ts';
import { draftValue } from '../../../../operations/draft-account.ts';
import type { Account } from '../../../../ports/account.ts';
import type { AccountDrafts, ConfigStore, LoadedAccount } from '../../../../ports/config-store.ts';

export interface DraftDeps {
  config: Pick<ConfigStore, 'current' | 'entry'> & AccountDrafts;
  /** The account as its kind makes it; it is in no list, and nobody else gets it. */
  makeAccount(loaded: LoadedAccount, isCurrent: () => boolean): Account;
}

/** A provider that doesn't answer is given up after so long. */
const testMilliseconds = 20_000;
/** A page chooses the addresses: it can't have many asked at once. */
const testLimit = 4;

/** What is wrong with a draft: its name, its keys, the files that it names. */
export async function draftProblems(draft: AccountDraft, { config }: DraftDeps): Promise<DraftProblem[]> {
  const { name, isNew } = draft;
  const taken: DraftProblem[] =
    isNew && config.current().accounts.has(name)
      ? [problem('name', 'error', `there is an account named ${name} already`)]
      : [];
  const { findings } = await config.look(name, await draftValue(draft, config));
  return [
    ...taken,
    ...findings.map(({ severity, path, text }): DraftProblem => {
      const [kind, field, item] = path;
      // The key of the whole account is its name.
      const at = path.length === 0 ? 'name' : typeof field === 'string' ? field : null;
      return { ...problem(kind === draft.kind ? (at ?? null) : at, severity, text), item: item ?? null };
    }),
  ];
}

function problem(field: string | null, severity: DraftProblem['severity'], message: string): DraftProblem {
  return { field, item: null, severity, message };
}

/** Makes the account of a draft, without saving it, and has it look at what it stands on. */
export function createDraftTest(deps: DraftDeps) {
  let running = 0;
  return async (
    draft: AccountDraft,
    { signal, progress }: { signal: AbortSignal; progress(value: { doing: string }): void },
  ): Promise<TestFinding[]> => {
    if (running >= testLimit) {
      throw new BrokerError('account.test.busy', 'too many tests are under way', {
        reason: 'timedOut',
        hint: 'wait for them to end, and try again',
      });
    }
    running += 1;
    try {
      const { account, findings } = await deps.config.look(draft.name, await draftValue(draft, deps.config));
      if (!account) {
        return findings
          .filter(({ severity }) => severity === 'error')
          .map(({ path, text }) => ({
            check: 'account.config',
            level: 'problem',
            message: `${path.slice(1).join('.')}: ${text}`,
            hint: null,
          }));
      }
      progress({ doing: doingText(account) });
      // Never current: nothing that it might do is taken for the real account's.
      const made = deps.makeAccount(account, () => false);
      const limit = AbortSignal.timeout(testMilliseconds);
      const look = made.survey?.bind(made) ?? made.examine?.bind(made);
      const found = (await look?.(AbortSignal.any([signal, limit]))) ?? [];
      return found.map(({ check, level, message, hint }) => ({ check, level, message, hint }));
    } finally {
      running -= 1;
    }
  };
}

function doingText({ config }: LoadedAccount): string {
  if ('oidc' in config) {
    return `asking ${new URL(config.oidc.issuer).host} what it offers`;
  }
  if ('execPlugin' in config) {
    return 'looking where the command leads to';
  }
  const inFile =
    'staticToken' in config
      ? config.staticToken.file !== undefined
      : config.clientCertificate.certificateFile !== undefined;
  return inFile ? 'reading the file' : 'looking into the vault';
}
