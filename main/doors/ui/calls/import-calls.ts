import type { Secret } from '../../../base/secret.ts';
import { pasteWindow } from '../../../consent/windows/kinds/paste.ts';
import type { Windows } from '../../../consent/windows/windows.ts';
import { BrokerError, refusalError } from '../../../contract/broker-error.ts';
import type { ConfiguredKind } from '../../../contract/config/config.ts';
import type { CallInput } from '../../../contract/ui/calls/index.ts';
import { counted } from '../../../contract/ui/count-text.ts';
import type { ChosenNames } from '../../../domain/import/chosen-names.ts';
import type { GivenText, KubeconfigSource } from '../../../domain/import/given-text.ts';
import { describeUser } from '../../../domain/import/index.ts';
import type { MergedKubeconfig } from '../../../domain/import/kubeconfig.ts';
import { namesOf } from '../../../domain/loaded-config.ts';
import { shownName } from '../../../domain/text/shown-name.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import type { KubeconfigApiVersion } from '../../../kubeconfig/helper-exec.ts';
import type { ApplyHow } from '../../../kubeconfig/import/apply.ts';
import type { ImportSelection, ImportSource, PreparedImport } from '../../../kubeconfig/import/prepare.ts';
import type { ImportCaller } from '../../../kubeconfig/import/read-source.ts';
import type { KubeconfigWatch } from '../../../kubeconfig/watch/kubeconfig-watch.ts';
import { agreedPart } from '../../../operations/import/agreed-part.ts';
import { type CarryOutDeps, carryOutImport } from '../../../operations/import/carry-out.ts';
import { configHunk } from '../../../operations/import/config-hunk.ts';
import { checkSource, checkWhole, hasErrors, hasWork } from '../../../operations/import/source-checks.ts';
import { type TakeBackDeps, takeBack } from '../../../operations/import/take-back.ts';
import type { Gate } from '../../../ports/broker-core.ts';
import type { UiHandlers } from '../handlers.ts';
import { type AwaitConfirmedDeps, awaitConfirmed } from '../import/await-confirmed.ts';
import { diffLines } from '../import/diff-lines.ts';
import { doneView } from '../import/done-view.ts';
import { pendingOfPlan } from '../import/pending-entries.ts';
import type { PastedText, PlanStore, ShownPlan } from '../import/plan-store.ts';
import { fileViews, planView, problemViews, questionId } from '../import/plan-view.ts';
import { changedSince } from '../import/same-source.ts';
import { openOrElse } from './open-or-else.ts';
import { refusePathsElsewhere } from './paths-elsewhere.ts';

export interface ImportCallsDeps extends CarryOutDeps, AwaitConfirmedDeps, TakeBackDeps {
  plans: PlanStore<ShownPlan>;
  pasted: PlanStore<PastedText>;
  windows: Pick<Windows, 'open'>;
  /** Why a text is no kubeconfig, in a sentence; null: it is one. */
  givenFault(text: Secret, name: GivenText['name']): string | null;
  /** The files that kubectl would read in the broker’s environment. */
  paths(): string[];
  /** The broker’s environment: for finding plugins and kubectl, and for `~`. */
  environment: Readonly<Record<string, string | undefined>>;
  readKubeconfigs(
    files: readonly string[],
    options: { signal: AbortSignal; apart: boolean },
  ): Promise<MergedKubeconfig>;
  readSource(
    files: readonly KubeconfigSource[],
    caller: ImportCaller,
    signal: AbortSignal,
  ): Promise<ImportSource>;
  apiVersion(path: string | undefined): Promise<KubeconfigApiVersion>;
  prepare(source: ImportSource, selection: ImportSelection): Promise<PreparedImport>;
  /** Why it would not be carried out; null: nothing is known against it. */
  refusal(prepared: PreparedImport, how: Pick<ApplyHow, 'confirms'>): Promise<BrokerError | null>;
  watch: Pick<KubeconfigWatch, 'look' | 'dismiss'>;
  gate: Gate;
  /** Path of the managed kubeconfig. */
  managed: string;
  config: AwaitConfirmedDeps['config'] & TakeBackDeps['config'] & { file: string };
  bindings: AwaitConfirmedDeps['bindings'] & TakeBackDeps['bindings'];
  platform: string;
}

type Calls =
  | 'import.found'
  | 'import.plan'
  | 'import.paste'
  | 'import.diff'
  | 'import.apply'
  | 'import.takeBack'
  | 'import.stands'
  | 'import.dismiss';

/** The most users shown; there may be thousands. */
const userLimit = 50;
/** Masking the secrets of thousands of entries keeps the broker busy for a second. */
const changeLimit = 2000;

/** The import in a page: finds kubeconfigs, makes a plan, and carries out the plan that was shown. */
export function createImportCalls(deps: ImportCallsDeps): Pick<UiHandlers, Calls> {
  const { plans, environment } = deps;
  const caller = {
    homeDirectory: environment['HOME'] ?? environment['USERPROFILE'] ?? '',
    searchPath: environment['PATH'] ?? null,
  };
  const pathsOf = (files: readonly string[]) => {
    const own = deps.paths();
    refusePathsElsewhere(files, own);
    return files.length > 0 ? files : own;
  };

  return {
    'import.found': async ({ files }, { signal }) => {
      const merged = await deps.readKubeconfigs(pathsOf(files), { signal, apart: files.length > 0 });
      const users = [...merged.users.values()].map((user) => ({ user, ...describeUser(user) }));
      return {
        files: fileViews(merged),
        problems: problemViews(merged),
        users: users
          .filter(({ kind }) => kind !== 'lanyard')
          .slice(0, userLimit)
          .map(({ user, description }) => ({
            user: shownName(user.name),
            description: visibleText(description),
            file: user.origin.file,
          })),
        userCount: users.length,
        contextCount: merged.contexts.size,
        ownCount: users.filter(({ kind }) => kind === 'lanyard').length,
      };
    },
    'import.plan': async (
      { files, pasted, contexts, inPlace, names, offlineAccess },
      { signal, progress },
    ) => {
      throwRefusal(deps.gate());
      // Files that the user named are each read on their own; KUBECONFIG's are merged as kubectl does.
      const apart = files.length > 0;
      const sources = pasted === null ? pathsOf(files) : [givenText(deps.pasted.get(pasted))];
      progress({ doing: `Reading ${sources.length === 1 ? nameOf(sources[0]) : `${sources.length} files`}` });
      const [source, apiVersion] = await Promise.all([
        deps.readSource(sources, { ...caller, apart }, signal),
        deps.apiVersion(caller.searchPath ?? undefined),
      ]);
      const edits = inPlace && pasted === null;
      const selection: ImportSelection = {
        contexts,
        inPlace: edits,
        names: chosenNames(names),
        offlineAccess,
        apiVersion,
      };
      checkSource(source.merged, selection);
      const count = contexts?.length ?? source.merged.contexts.size;
      progress({ doing: `Working out what becomes of ${counted(count, 'context')}` });
      const prepared = await deps.prepare(source, selection);
      if (contexts === null && !hasWork(prepared) && !hasErrors(source.merged)) {
        await deps.markSeen(source.merged, prepared.plan);
      }
      const refused = hasWork(prepared) ? await deps.refusal(prepared, { confirms: false }) : null;
      const kept = plans.keep({ sources, apart, source, selection, prepared, refused, pasted });
      return planView(kept, { config: deps.config.file, managed: deps.managed });
    },
    'import.paste': async (_, { signal }) => {
      const { promise, resolve: done } = Promise.withResolvers<Secret | null>();
      const faultOf = (text: Secret) => deps.givenFault(text, pastedName);
      const kind = pasteWindow({ gate: deps.gate, faultOf, done, signal });
      await openOrElse(deps.windows, kind, 'enter the path of a file instead');
      const text = await promise;
      return { pasted: text === null ? null : deps.pasted.keep({ text }).id };
    },
    'import.diff': async ({ id, file }) => {
      const { prepared } = plans.get(id);
      if (file === deps.config.file) {
        const hunk = configHunk(prepared.edits.slice(0, changeLimit), prepared.seen);
        return diffLines(hunk === null ? [] : [hunk], file);
      }
      const edit = prepared.files.find(({ path }) => path === file);
      return edit === undefined || edit.changes > changeLimit
        ? { lines: [], moreLines: edit?.changes ?? 0 }
        : diffLines(edit.hunks, file);
    },
    'import.apply': async ({ id, agreed }, { signal, progress }) => {
      throwRefusal(deps.gate());
      const plan = plans.take(id);
      const { source, selection } = plan;
      checkWhole(source.merged);
      progress({ step: 'doing', what: 'Checking the files again' });
      const changed = changedSince(
        source,
        await deps.readSource(plan.sources, { ...caller, apart: plan.apart }, signal),
      );
      if (changed !== null) {
        throw new BrokerError('import.changed', `${changed} has changed since the plan was shown`, {
          reason: 'denied',
          hint: 'nothing was imported; look again at what is there now',
        });
      }
      const yes = plan.prepared.plan.questions.filter((_, index) => agreed.includes(questionId(index)));
      const { prepared } = await agreedPart(plan.prepared, yes, (contexts) =>
        deps.prepare(source, { ...selection, contexts }),
      );
      if (!hasWork(prepared)) {
        throw new BrokerError('import.unanswered', 'nothing is left to import', {
          reason: 'denied',
          hint: 'select what you want to import',
        });
      }
      const how = {
        confirms: false,
        signal,
        say: (what: string) => progress({ step: 'doing', what: visibleText(what) }),
      };
      // A file that can't be edited is said before anything is written and approved.
      const refused = await deps.refusal(prepared, how);
      if (refused) {
        throw refused;
      }
      if (prepared.edits.length > 0) {
        how.say('Taking the secrets into the vault');
        await deps.apply({ ...prepared, files: [] }, how);
      }
      // Also what an earlier import wrote, and no one approved yet.
      const held = pendingOfPlan(prepared, deps.bindings);
      if (held.length > 0) {
        const [accounts, clusters] = [namesOf(held, 'account'), namesOf(held, 'cluster')];
        progress({ step: 'held', count: held.length, accounts, clusters });
        await awaitConfirmed(held, signal, deps);
        // The user took their time: the vault may be locked by now.
        throwRefusal(deps.gate());
      }
      how.say(selection.inPlace ? 'Editing your files' : `Writing ${deps.managed}`);
      const rest = { ...prepared, edits: [], secrets: {}, seen: deps.config.current() };
      const done = await carryOutImport({ merged: source.merged, prepared: rest, selection }, how, deps);
      if (plan.pasted !== null) {
        deps.pasted.drop(plan.pasted);
      }
      return doneView({ ...plan, prepared }, done, { ...deps, usual: deps.paths() });
    },
    'import.takeBack': async (written) => {
      throwRefusal(deps.gate());
      return { removed: await takeBack(written, deps) };
    },
    'import.stands': async ({ file }, { signal }) => {
      throwRefusal(deps.gate());
      const source = await deps.readSource(pathsOf([file]), caller, signal);
      const apiVersion = await deps.apiVersion(caller.searchPath ?? undefined);
      const prepared = await deps.prepare(source, { contexts: null, inPlace: true, apiVersion });
      if (prepared.edits.length > 0 || prepared.files.length === 0 || hasErrors(source.merged)) {
        return { stands: 'new' };
      }
      return { stands: pendingOfPlan(prepared, deps.bindings).length > 0 ? 'held' : 'inForce' };
    },
    'import.dismiss': async ({ file }) => {
      await deps.watch.look();
      return { kept: (await deps.watch.dismiss([file])).kept };
    },
  };
}

const pastedName = 'pasted kubeconfig';

function givenText({ text }: PastedText): GivenText {
  return { name: pastedName, text };
}

function chosenNames(names: NonNullable<CallInput<'import.plan'>['names']>): ChosenNames {
  const of = (kind: ConfiguredKind) =>
    new Map(names.filter(({ what }) => what === kind).map(({ of, name }) => [of, name]));
  return { accounts: of('account'), clusters: of('cluster') };
}

function nameOf(source: KubeconfigSource | undefined): string {
  return typeof source === 'string' ? source : `the ${source?.name}`;
}

function throwRefusal(refusal: ReturnType<Gate>): void {
  if (refusal) {
    throw refusalError(refusal);
  }
}
