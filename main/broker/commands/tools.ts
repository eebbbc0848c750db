import type { Command } from '../../doors/cli/command.ts';
import { installCommand } from '../../doors/cli/tools/install-command.ts';
import { uiCommand } from '../../doors/cli/tools/ui-command.ts';
import { uninstallCommand } from '../../doors/cli/tools/uninstall-command.ts';
import { createUninstallDeps } from '../../installed/wiring.ts';
import { createUndoKubeconfigs } from '../../kubeconfig/import/undo-kubeconfigs.ts';
import type { Areas } from '../areas.ts';
import type { Pages } from '../pages.ts';

export function toolCommands(
  { deps, records, kubeconfigs, tools, docker }: Areas,
  pages: Pages,
): [string, Command][] {
  const { browser, clock, keychain, vault, ledger, paths } = deps;
  return [
    ['ui', uiCommand({ web: pages.web, redirect: pages.redirect, browser })],
    ['install', installCommand({ tools })],
    [
      'uninstall',
      uninstallCommand(
        createUninstallDeps({
          platform: process.platform,
          recorder: records.recorder,
          userContexts: kubeconfigs.userContexts,
          kubeconfigs: createUndoKubeconfigs(kubeconfigs.editing),
          keychain,
          vault,
          leave: (what) => deps.leave(what),
          tools,
          docker,
          clock,
          paths,
          ledger,
        }),
      ),
    ],
  ];
}
