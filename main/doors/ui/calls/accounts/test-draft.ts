import type { Bindings } from '../../../../access/bindings.ts';
import { raceAbort } from '../../../../base/abort.ts';
import { BrokerError } from '../../../../contract/broker-error.ts';
import { configName } from '../../../../contract/config/names.ts';
import type { AccountDraft, DraftProblem, ProgramElsewhere } from '../../../../contract/ui/calls/accounts.ts';
import type { TestFinding } from '../../../../contract/ui/calls/finding.ts';
import { draftValue } from '../../../../operations/draft-account.ts';
import type { Account } from '../../../../ports/account.ts';
import type { Clock } from '../../../../ports/clock.ts';
import type { AccountDrafts, ConfigStore, LoadedAccount } from '../../../../ports/config-store.ts';
import type { Log } from '../../../../ports/log.ts';
import { createAskingLimit } from '../limit-asking.ts';
import { pathsElsewhere } from '../paths-elsewhere.ts';
import { type FoundElsewhereDeps, foundElsewhere } from './found-elsewhere.ts';
import { testedValue } from './tested-value.ts';

export interface DraftDeps extends FoundElsewhereDeps {
  config: Pick<ConfigStore, 'current' | 'entry'> & AccountDrafts;
  /** Makes the account by its kind. It is in no list, so nothing else can use it. */
  makeAccount(loaded: LoadedAccount, isCurrent: () => boolean): Account;
  bindings: Pick<Bindings, 'pending'>;
  clock: Pick<Clock, 'boottime'>;
  log: Log;
}

/** How long a provider or a disk that doesn’t answer is waited for. */
const testMilliseconds = 20_000;
/** Each test is a click of the user. */
const testLimits = { atOnce: 4, perMinute: 40 };
/** A page checks each time the user pauses while typing. */
const checkLimits = { atOnce: 8, perMinute: 600 };

export interface Drafts {
  /** Finds what is wrong with a draft: its name, its keys, the files that it names; and where its command is. */
  check(draft: AccountDraft): Promise<CheckedDraft>;
  /** Makes the draft’s account, without saving it, and checks what it depends on. */
  test(draft: AccountDraft, context: TestContext): Promise<TestFinding[]>;
}

interface CheckedDraft {
  problems: DraftProblem[];
  elsewhere: ProgramElsewhere | null;
}

interface TestContext {
  signal: AbortSignal;
  progress(value: { doing: string }): void;
}

/** Checks and tests drafts. The page may have been taken over: what it types is limited and never trusted. */
export function createDrafts(deps: DraftDeps): Drafts {
  const limitTests = createAskingLimit(testLimits, deps.clock);
  const limitChecks = createAskingLimit(checkLimits, deps.clock);
  return {
    check: (draft) => limitChecks(() => checkDraft(draft, deps)),
    test(draft, { signal, progress }) {
      const both = AbortSignal.any([signal, AbortSignal.timeout(testMilliseconds)]);
      const work = limitTests(() => testDraft(draft, { signal: both, progress }, deps));
      return raceAbort(work, both).catch((error: unknown) => {
        if (!both.aborted || signal.aborted || error instanceof BrokerError) {
          throw error;
        }
        throw new BrokerError('account.test.slow', 'the test took too long, and was given up', {
          reason: 'timedOut',
          hint: 'look whether the provider, or the disk with the file, can be reached',
        });
      });
    },
  };
}

async function checkDraft(draft: AccountDraft, deps: DraftDeps): Promise<CheckedDraft> {
  const { config } = deps;
  const { name, isNew } = draft;
  const remote = pathsElsewhere(draft.set);
  if (remote.length > 0) {
    return { problems: remote, elsewhere: null }; // not read, so that a page can’t learn whether it exists
  }
  const taken: DraftProblem[] =
    isNew && config.current().accounts.has(name)
      ? [problem('name', 'error', `account ${name} already exists`)]
      : [];
  const { account, findings } = await config.look(testedName(draft), await draftValue(draft, config));
  const problems = [
    ...taken,
    ...findings.map(({ severity, path, text }): DraftProblem => {
      const [kind, field, item] = path;
      // A problem of the whole account is shown at its name.
      const at = path.length === 0 ? 'name' : typeof field === 'string' ? field : null;
      return { ...problem(kind === draft.kind ? (at ?? null) : at, severity, text), item: item ?? null };
    }),
  ];
  return { problems, elsewhere: account && (await foundElsewhere(account, deps)) };
}

/** A new account may be tested before it has a name. What the test says has the placeholder of commands then. */
function testedName({ name, isNew }: Pick<AccountDraft, 'name' | 'isNew'>): string {
  return isNew && !configName.safeParse(name).success ? 'ACCOUNT' : name;
}

function problem(field: string | null, severity: DraftProblem['severity'], message: string): DraftProblem {
  return { field, item: null, severity, message };
}

async function testDraft(
  draft: AccountDraft,
  { signal, progress }: TestContext,
  deps: DraftDeps,
): Promise<TestFinding[]> {
  const elsewhere = pathsElsewhere(draft.set);
  if (elsewhere.length > 0) {
    return elsewhere.map(({ field, message }) => inConfig(message, field));
  }
  const { account, findings } = await deps.config.look(testedName(draft), await testedValue(draft, deps));
  if (!account) {
    return findings
      .filter(({ severity }) => severity === 'error')
      .map(({ path, text }) => {
        const [, field, ...item] = path;
        const where = item.length === 0 ? '' : `${item.join('.')}: `;
        return inConfig(`${where}${text}`, typeof field === 'string' ? field : null);
      });
  }
  progress({ doing: doingText(account) });
  if ('oidc' in account.config) {
    // On record, so that it shows which hosts a page made the broker contact.
    deps.log.info('account.test', { account: account.name, host: new URL(account.config.oidc.issuer).host });
  }
  // Never current: its effects are never those of the real account.
  const made = deps.makeAccount(account, () => false);
  const look = made.survey?.bind(made) ?? made.examine?.bind(made);
  const found = (await look?.(signal)) ?? [];
  return found.map(({ check, level, message, hint, key = null }) => ({
    check,
    level,
    message,
    hint,
    field: key,
  }));
}

function inConfig(message: string, field: string | null): TestFinding {
  return { check: 'account.config', level: 'problem', message, hint: null, field };
}

function doingText({ config }: LoadedAccount): string {
  if ('oidc' in config) {
    return `asking ${new URL(config.oidc.issuer).host} what it offers`;
  }
  if ('execPlugin' in config || 'credentialProvider' in config || 'credentialHelper' in config) {
    return 'looking where the command leads to';
  }
  if ('awsProcess' in config || 'requestSigner' in config) {
    return 'looking where the command leads to';
  }
  if ('pkcs11' in config) {
    return 'looking at the module';
  }
  if ('aws' in config) {
    return config.aws.accessKeyId === undefined ? 'reading the file' : 'looking into the vault';
  }
  if ('awsEks' in config) {
    return 'checking its keys';
  }
  if ('registry' in config) {
    return 'looking into the vault';
  }
  if ('secretReader' in config || 'kubeconfigSecretReader' in config) {
    return 'checking its hub';
  }
  const inFile =
    'staticToken' in config
      ? config.staticToken.file !== undefined
      : config.clientCertificate.certificateFile !== undefined;
  return inFile ? 'reading the file' : 'looking into the vault';
}
