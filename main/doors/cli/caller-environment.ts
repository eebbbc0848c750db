import { BrokerError } from '../../contract/broker-error.ts';
import type { CommandCall } from './command.ts';

/** Variables by which client-go finds kubeconfigs. */
export const kubeconfigVariables = ['KUBECONFIG', 'HOME', 'HOMEDRIVE', 'HOMEPATH', 'USERPROFILE'] as const;

/** The caller's variables; throws BrokerError `cli.environment` (reason usage) where the helper can't tell them. */
export async function callerEnvironment(
  call: Pick<CommandCall, 'terminal'>,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const environment = await call.terminal.environment(names);
  if (environment === null) {
    throw new BrokerError('cli.environment', 'this helper is too old to tell its environment', {
      reason: 'usage',
      hint: 'start the agent again: it puts the helper that fits into bin/lanyard under its home',
    });
  }
  return environment;
}
