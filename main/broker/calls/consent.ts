import { windowFor } from '../../consent/windows/window-kinds.ts';
import { calledInQuestion, clusterMark } from '../../domain/naming/cluster-mark.ts';
import { createApprovalCalls } from '../../doors/ui/calls/approval-calls.ts';
import { createConfirmingCalls } from '../../doors/ui/calls/confirming-calls.ts';
import { createLockCalls } from '../../doors/ui/calls/lock-calls.ts';
import type { Areas } from '../areas.ts';
import { openedWith } from '../opened.ts';

/** What you approve, unlock or give: by a page, and in Lanyard’s own windows. */
export function consentCalls({ deps, served, records, credentials, consent, locking, kubeconfigs }: Areas) {
  const { vault, clock, config } = deps;
  const { bindings, serving, programs, look } = served;
  const { recorder } = records;
  const { directory, grants } = credentials;
  const { board, unknownServers, windows, person } = consent;
  const { lock, gate } = locking;
  const onOpened = openedWith(bindings);
  const windowKinds = {
    windows,
    bindings,
    vault,
    recorder,
    gate,
    look,
    programs,
    clock,
    lock,
    config,
    serving,
    board,
    unknownServers,
    onOpened,
    userContexts: kubeconfigs.userContexts,
    knownFiles: kubeconfigs.knownFiles,
    managed: deps.paths.kubeconfig,
    onChanged: (name: string) => grants.forget(name),
    calledOf: (cluster: string) => {
      const { clusters, settings } = serving.current();
      const own = clusters.get(cluster)?.config;
      return own ? calledInQuestion(cluster, own, settings.appearance.colors) : null;
    },
    markOf: (cluster: string) => clusterMark(cluster, {}, serving.current().settings.appearance.colors),
    subjectOf: async (account: string) => (await directory.peekAccount(account)?.state())?.subject ?? null,
  };
  return {
    ...createApprovalCalls({ board }),
    ...createConfirmingCalls(windowKinds),
    ...createLockCalls({
      clock,
      lock,
      vault,
      recorder,
      person,
      windows,
      onOpened,
      unlockWindow: () => windowFor({ what: 'unlock' }, windowKinds),
    }),
  };
}
