import type { Approvals } from '../../consent/approvals/approvals.ts';
import type { Door } from '../../ports/door.ts';
import { recheck } from '../recheck.ts';
import { parseControllerArguments } from './controller-arguments.ts';
import { createExecDoor, type ExecDoorDeps } from './exec-door.ts';
import type { FindClusterDeps } from './find-cluster.ts';
import { findProfile } from './find-profile.ts';

export interface ControllerDoorDeps extends FindClusterDeps, ExecDoorDeps {
  approvals: Pick<Approvals, 'approve'>;
}

/**
 * The controller door: for controllers that reach clusters by ClusterProfiles (KEP-5339/controllers). The provider’s
 * plugin is the same for all of them, and the profile is found by where the controller is about to connect.
 */
export function createControllerDoor(deps: ControllerDoorDeps): Door {
  return createExecDoor(
    {
      door: 'controller',
      readArguments: parseControllerArguments,
      recorded: () => ({ account: null, target: null }),
      async find(question, context) {
        const found = findProfile(question, deps);
        if (!found.ok) {
          return found;
        }
        const { target } = found;
        const named = deps.directory.account(target.account);
        if (!named.ok) {
          return named;
        }
        const { account } = named;
        const approved = await deps.approvals.approve({ ...context, target, interactive: false });
        if (!approved.ok) {
          return approved;
        }
        const again = () => findProfile(question, deps);
        const changed = approved.waited ? recheck({ account, target, again }, deps) : null;
        return changed ?? { ...found, account };
      },
      again: (question) => findProfile(question, deps),
      isAttended: false,
    },
    deps,
  );
}
