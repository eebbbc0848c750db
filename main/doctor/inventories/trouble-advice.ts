import type { SourceFaultCode } from '../../inventory/source-fault.ts';

export interface TroubleAdvice {
  level: 'problem' | 'warning';
  hint: string;
}

/** What to do about a fault of an inventory’s source. `hubAccount`: whose credential its hub gets; null: it has files. */
export function troubleAdvice(
  code: SourceFaultCode,
  { name, hubAccount }: { name: string; hubAccount: string | null },
): TroubleAdvice {
  const again = `lanyard inventory sync ${name}`;
  const narrower = `set namespaces or labelSelector of ${name} in config.yaml`;
  const account = hubAccount ?? 'of the hub';
  switch (code) {
    case 'noCredential':
      return problem(`see what the account ${account} needs: lanyard status`);
    case 'unauthorized':
      return problem(`check the account ${account}, then try again: ${again}`);
    case 'forbidden':
      return problem(
        `the hub’s administrator can let ${account} get, list and watch clusterprofiles.multicluster.x-k8s.io; then: ${again}`,
      );
    case 'notServed':
      return problem(
        `the hub’s administrator can install the CRD; another hub is cluster of ${name} in config.yaml`,
      );
    case 'expired':
      return problem(`the hub forgets its changes too soon: tell its administrator; then: ${again}`);
    case 'throttled':
      return warning('it is tried again automatically, when the hub says');
    case 'status':
    case 'unreachable':
    case 'silent':
      return problem(`check the network and the hub, then try again: ${again}`);
    case 'badAnswer':
    case 'outOfOrder':
      return problem(`check what answers at the hub’s server: is it a proxy? Then try again: ${again}`);
    case 'tooLarge':
    case 'endless':
      return problem(`${narrower}, then try again: ${again}`);
    case 'emptied':
      return warning('wait for the second list; if the hub has profiles, check the role of its account');
    case 'overQuota':
      return warning(narrower);
    case 'file':
      return problem('fix the file: it is read again automatically');
    case 'internal':
      return problem(`see agent.log in Lanyard’s home, then try again: ${again}`);
  }
}

function problem(hint: string): TroubleAdvice {
  return { level: 'problem', hint };
}

function warning(hint: string): TroubleAdvice {
  return { level: 'warning', hint };
}
