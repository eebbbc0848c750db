import { isAbsolute } from 'node:path';
import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { PlannedProviderView } from '../../../contract/ui/calls/providers.ts';
import type { CredentialProvider } from '../../../domain/image/credential-provider.ts';
import { importedOf, type PlannedProvider } from '../../../domain/import/providers/planned-provider.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { ApplicableImport, ApplyHow, FileOutcome } from '../../../kubeconfig/import/apply.ts';
import { configHunk } from '../../../operations/import/config-hunk.ts';
import type { FoundProviders } from '../../../operations/import-providers/find.ts';
import {
  hasProviderWork,
  type PreparedProviders,
  type PrepareProvidersDeps,
  prepareProviders,
} from '../../../operations/import-providers/prepare.ts';
import { pluginProgramLines } from '../../../operations/import-providers/program-lines.ts';
import {
  type MadeEntries,
  type UndoProvidersDeps,
  undoProviders,
} from '../../../operations/import-providers/undo.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { UiHandlers } from '../handlers.ts';
import { diffLines } from '../import/diff-lines.ts';
import type { PlanStore } from '../import/plan-store.ts';
import { createUndoTokens } from '../undo-tokens.ts';
import { refusePathsElsewhere } from './paths-elsewhere.ts';

export interface ProviderCallsDeps extends PrepareProvidersDeps, UndoProvidersDeps {
  config: PrepareProvidersDeps['config'] & UndoProvidersDeps['config'] & { file: string };
  plans: PlanStore<PreparedProviders>;
  gate: Gate;
  clock: Pick<Clock, 'boottime'>;
  find(): Promise<FoundProviders[]>;
  apply(prepared: ApplicableImport, how: ApplyHow): Promise<FileOutcome[]>;
}

type Calls = 'providers.found' | 'providers.plan' | 'providers.import' | 'providers.undo';

const longestNote = 1000;

/** A kubelet’s credential providers in a page: the plan that was shown is what is written, pending approval. */
export function createProviderCalls(deps: ProviderCallsDeps): Pick<UiHandlers, Calls> {
  const { plans } = deps;
  const done = createUndoTokens<{ providers: readonly CredentialProvider[]; made: MadeEntries }>(deps.clock);
  const open = () => {
    const refusal = deps.gate();
    if (refusal) {
      throw refusalError(refusal);
    }
  };
  return {
    'providers.found': async () => ({
      configs: (await deps.find()).map((each) => ({ ...each, path: visibleText(each.path, Infinity) })),
    }),
    'providers.plan': async ({ path, binFolder }) => {
      open();
      refusePathsElsewhere([path, binFolder]);
      for (const named of [path, binFolder]) {
        if (!isAbsolute(named)) {
          throw new BrokerError('registry.path', 'write the whole path: it begins with /', {
            reason: 'usage',
          });
        }
      }
      const kept = plans.keep(await prepareProviders({ path, binFolder }, deps));
      const hunk = configHunk(kept.edits, kept.seen);
      return {
        id: kept.id,
        providers: kept.plan.providers.map(providerView),
        notes: kept.plan.notes.map((note) => visibleText(note, longestNote)),
        ...diffLines(hunk === null ? [] : [hunk], deps.config.file),
        hasWork: hasProviderWork(kept),
      };
    },
    'providers.import': async ({ id }, { signal }) => {
      open();
      const kept = plans.take(id);
      await deps.apply(kept, { confirms: false, signal, say: () => undefined });
      const made = madeBy(kept);
      return {
        registries: [...made.registries],
        held: kept.edits.length > 0,
        undo: done.keep({ providers: kept.providers, made }),
      };
    },
    'providers.undo': async ({ undo }) => {
      open();
      const { providers, made } = done.take(undo, 'on a terminal: lanyard registry undo FILE');
      const { registries, accounts, left } = await undoProviders(providers, deps, made);
      return { registries: [...registries], accounts: [...accounts], left: [...left] };
    },
  };
}

/** Not what an earlier import made, which may be approved since. */
function madeBy({ plan }: PreparedProviders): MadeEntries {
  const imported = importedOf(plan);
  return {
    accounts: imported.filter(({ accountExists }) => !accountExists).map(({ account }) => account),
    registries: imported.filter(({ registryExists }) => !registryExists).map(({ registry }) => registry),
  };
}

function providerView({ provider, matchImages, becomes, notes }: PlannedProvider): PlannedProviderView {
  const isLeft = 'left' in becomes;
  return {
    provider: visibleText(provider, 200),
    matchImages: matchImages.map((pattern) => visibleText(pattern, 300)),
    becomes: isLeft
      ? null
      : {
          account: becomes.account,
          accountExists: becomes.accountExists,
          registry: becomes.registry,
          registryExists: becomes.registryExists,
        },
    left: isLeft ? visibleText(becomes.left, longestNote) : null,
    program:
      isLeft || becomes.accountExists
        ? []
        : pluginProgramLines(becomes.accountValue.credentialProvider, becomes.program),
    notes: notes.map((note) => visibleText(note, longestNote)),
  };
}
