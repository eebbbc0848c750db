import type { Disposables } from '../base/disposables.ts';
import { createUiDoor, type UiDoor } from '../doors/ui/index.ts';
import { createRecentEvents } from '../doors/ui/state/recent-events.ts';
import { createWebUi, type WebUi } from '../doors/ui/web/index.ts';
import { createRedirectFile, type RedirectFile } from '../platform/browser/redirect-file.ts';
import type { Areas } from './areas.ts';
import { createUiCalls } from './calls/index.ts';
import { createUiStateSources } from './ui-sources.ts';

/** The UI’s door, and its page in the browser. */
export interface Pages {
  ui: UiDoor;
  web: WebUi;
  /** Opens the page’s address in the browser without showing it to other users. */
  redirect: RedirectFile;
}

export async function openPages(areas: Areas, disposables: Disposables): Promise<Pages> {
  const { clock, log, vault, history, paths, browser, lookUpPeer, pages: folder } = areas.deps;
  const { board } = areas.consent;
  const { idleLock } = areas.locking;
  const recent = disposables.add(
    createRecentEvents({ history: history.reader, clock, log, changed: () => ui.changed() }),
  );
  const ui: UiDoor = disposables.add(
    createUiDoor({
      clock,
      log,
      touch: () => idleLock.touch(),
      sources: createUiStateSources(areas, recent, countConfigChanges(areas, disposables)),
      pageJoined: () => board.pageJoined(),
      handlers: createUiCalls(areas, disposables),
    }),
  );
  const web = disposables.add(createWebUi({ clock, log, door: ui, vault, lookUpPeer, folder }));
  const redirect = disposables.add(createRedirectFile({ file: paths.uiRedirect, browser, clock }));
  await redirect.remove();
  await web.vaultChanged();
  disposables.add(vault.onChange(() => void web.vaultChanged()));
  tellPages(areas, ui, disposables);
  return { ui, web, redirect };
}

/** How often what `held` and config.yaml say has changed. */
function countConfigChanges({ deps, served }: Areas, disposables: Disposables): () => number {
  let count = 1;
  const changed = () => {
    count += 1;
  };
  for (const source of [
    deps.config.onChange(changed),
    served.bindings.onConfirmed(changed),
    deps.vault.onChange(changed),
  ]) {
    disposables.add(source);
  }
  return () => count;
}

/** Pages hear of each change; the windows check whether what they show is still so. */
function tellPages(
  { deps, served, credentials, consent, kubeconfigs, profiles, tools, dockerWatch }: Areas,
  ui: UiDoor,
  disposables: Disposables,
): void {
  const { vault, config, history, desktop } = deps;
  const { board, windows } = consent;
  const changed = () => ui.changed();
  const look = () => windows.look();
  for (const source of [
    history.reader.onRecorded(({ event: { kind } }) => {
      // No section of the state has them.
      if (kind !== 'request' && kind !== 'moreRequests') {
        ui.changed(kind === 'call' ? 'byCall' : undefined);
      }
    }),
    vault.onChange(changed),
    vault.onUpdated(changed),
    config.onChange(changed),
    served.bindings.onConfirmed(changed),
    credentials.logins.onChange(changed),
    credentials.tokens.onChange(changed),
    board.onChange(changed),
    windows.onChange(changed),
    kubeconfigs.contextsWatch.onChange(changed),
    kubeconfigs.kubeconfigWatch.onChange(changed),
    dockerWatch.onChange(changed),
    kubeconfigs.userContexts.onChange(changed),
    tools.onChange(changed),
    profiles.onChange(changed),
    ...(desktop ? [desktop.onChange(changed)] : []),
    vault.onChange(look),
    config.onChange(look),
    kubeconfigs.userContexts.onChange(look),
    served.bindings.onConfirmed(look),
    board.onChange(look),
    credentials.logins.onChange(look),
  ]) {
    disposables.add(source);
  }
}
