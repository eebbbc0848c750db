import type { DoorName } from '../../../main/contract/doors.ts';
import type { Health } from '../../../main/contract/ui/health.ts';
import type { RegistryView } from '../../../main/contract/ui/state.ts';

const words: Readonly<Record<RegistryView['state'], string>> = {
  ready: 'Ready',
  failing: 'Failing',
  loginNeeded: 'Login needed',
  secretMissing: 'Secret missing',
  expired: 'Expired',
  interrupted: 'Log in again',
  locked: 'Locked',
  invalid: 'Can’t be used',
  held: 'Pending approval',
  unknownAccount: 'No such account',
};

/** A registry’s state, for users. */
export function stateWords(state: RegistryView['state'], health: Health): string {
  if (state !== 'ready') {
    return words[state];
  }
  return health === 'soon' ? 'Expiring soon' : health === 'bad' ? 'Renewal failed' : words.ready;
}

/** By which protocol a program asked. */
export const sourceWords: Readonly<Record<DoorName, string>> = {
  kube: 'kubectl’s protocol',
  cli: 'lanyard image get IMAGE',
  docker: 'docker’s credential helper',
  image: 'a kubelet’s credential provider',
  controller: 'a controller’s plugin',
  proxy: 'the request proxy',
};
