import { counted } from '../contract/ui/count-text.ts';
import { spanText } from '../contract/ui/time-texts.ts';
import { targetText } from '../domain/target/target.ts';
import { localTime } from '../domain/text/local-time.ts';
import type { SourceFaultCode } from '../inventory/source-fault.ts';
import type { HistoryEvent, RequestEvent } from '../ports/history.ts';
import { callerText, shown } from './event-text.ts';
import { failureText } from './failure-text.ts';

/** Why a credential is new, in words. */
export const whys: Readonly<Record<Extract<HistoryEvent, { kind: 'generation' }>['why'], string>> = {
  needed: 'none was valid',
  due: 'the last one was about to expire',
  ahead: 'scheduled renewal',
  rejected: 'the cluster rejected the last one',
  loggedIn: 'after a login',
  found: 'loaded as stored',
};

const flows = {
  browser: 'in the browser',
  device: 'by device code',
  clientCredentials: 'as a client',
  pin: 'with a PIN',
};

export interface SentenceOptions {
  /** A moment, milliseconds since 1970, in words. */
  time?(at: number): string;
}

/**
 * What happened, for display; one line, in words. Codes are in the event’s details, and in JSON.
 */
export function eventSentence(event: HistoryEvent, { time = localTime }: SentenceOptions = {}): string {
  switch (event.kind) {
    case 'login':
      return loginSentence(event);
    case 'logout':
      return `logged out of ${shown(event.account)}${event.hadSession ? `, tokens ${revocations[event.revocation] ?? ''}` : ', which was not logged in'}`;
    case 'generation': {
      const age =
        event.previousAge === null
          ? ''
          : `; the one before lived ${spanText(Math.min(event.previousAge, event.previousLife ?? Number.POSITIVE_INFINITY))}`;
      const end = event.expiresAt === null ? 'never expires' : `valid until ${time(event.expiresAt)}`;
      return `new ${event.credential === 'awsKeys' ? 'AWS keys' : shown(event.credential)}${forAudience(event.audience)}, ${end} (${whys[event.why] ?? shown(event.why)})${age}`;
    }
    case 'renewal': {
      const took = `after ${(event.milliseconds / 1000).toFixed(1)} s`;
      const why = whys[event.why] ?? shown(event.why);
      return event.outcome === 'failed'
        ? `renewal${forAudience(event.audience)} failed ${took} (${why})${failureText(event.code)}`
        : `renewal${forAudience(event.audience)} ${event.outcome === 'unchanged' ? 'brought the same credential' : 'done'} ${took} (${why})`;
    }
    case 'pluginRun':
      return runSentence(event);
    case 'rejection':
      if (event.action === 'shown') {
        return 'the cluster rejected the credential (401)';
      }
      if (event.action === 'cleared') {
        return 'the cluster accepts credentials again';
      }
      if (event.action === 'forgotten') {
        return 'the credential that the cluster rejected isn’t used any more';
      }
      return `a 401 was suspected: ${verdicts[event.verdict] ?? ''}; ${actions[event.action] ?? ''}`;
    case 'approval':
      return `${callerText(event.caller)} ${approvals[event.outcome] ?? ''} (${policyText(event.policy)})`;
    case 'inventory':
      return inventorySentence(event);
    case 'request':
      return requestSentence(event);
    case 'moreRequests':
      return `${counted(event.requests, 'more request')} to ${shown(targetText(event.target))}: too many to record each`;
    case 'lock':
      return event.what === 'locked'
        ? `Lanyard was locked ${locks[event.why] ?? ''}`.trim()
        : 'Lanyard was unlocked';
    case 'change':
      return changeSentence(event.what, event.name);
    case 'call':
      return `${callerText(event.caller)} asked: ${decisions[event.outcome]} (${shown(event.reason)})`;
  }
}

function runSentence(event: Extract<HistoryEvent, { kind: 'pluginRun' }>): string {
  const what = `the plugin of ${shown(event.account)}`;
  const how = `in ${(event.milliseconds / 1000).toFixed(1)} s${event.where === 'caller' ? ' at the caller’s terminal' : ''}`;
  if (event.code === null) {
    return `${what} answered ${how}`;
  }
  // −1: a signal ended it, as the code says.
  const exit = event.callStatus === 'plugin_execution_error' && event.exitCode >= 0;
  if (exit) {
    return `${what} failed ${how} (exit code ${event.exitCode})`;
  }
  // It ended well, as client-go counts: what it printed was wrong.
  return `${what} failed ${how}${failureText(event.code, event.callStatus === 'no_error' ? 'its answer can’t be used' : '')}`;
}

function requestSentence(event: RequestEvent): string {
  const { program, method, path, target } = event;
  return `${shown(program ?? 'unknown')} sent ${shown(method)} ${shown(path)} to ${shown(targetText(target))}: ${requestAnswer(event)}`;
}

/** `200, ended after 12 ms`. */
export function requestAnswer({ status, answeredBy, milliseconds }: RequestEvent): string {
  const answer =
    answeredBy === null ? 'no answer' : answeredBy === 'proxy' ? `${status} from Lanyard` : String(status);
  const took = milliseconds < 1_000 ? `${milliseconds} ms` : spanText(milliseconds);
  return `${answer}, ended after ${took}`;
}

function loginSentence(event: Extract<HistoryEvent, { kind: 'login' }>): string {
  const what = `login to ${shown(event.account)} ${event.flow === null ? '' : (flows[event.flow] ?? '')}`;
  if (event.outcome === 'done') {
    return `${what}: as ${shown(event.displayName ?? event.subject ?? 'unknown')}`;
  }
  const isCancelled = event.outcome === 'cancelled' && event.code?.endsWith('.cancelled');
  return `${what} ${event.outcome}${isCancelled ? '' : failureText(event.code)}`;
}

/** `account.add` as `account added`. */
function changeSentence(what: string, name: string | null): string {
  if (name !== null && Object.hasOwn(profileChanges, what)) {
    return `profile ${shown(name)} ${profileChanges[what]}`;
  }
  if (Object.hasOwn(wholeChanges, what)) {
    return wholeChanges[what] ?? '';
  }
  const [thing = '', ...rest] = shown(what).split('.');
  const verb = rest.join(' ');
  const done = Object.hasOwn(verbs, verb) ? verbs[verb] : verb;
  const named = Object.hasOwn(things, thing) ? things[thing] : thing;
  return `${named}${name === null ? '' : ` ${shown(name)}`} ${done}`.trim();
}

/** Why the user was asked. */
export function policyText(policy: string): string {
  return Object.hasOwn(policies, policy) ? (policies[policy] ?? '') : `asked once in ${shown(policy)}`;
}

const policies: Readonly<Record<string, string>> = {
  always: 'asked each time',
  perTerminal: 'asked once per terminal',
  unknownServer: 'unknown server',
  execCredential: 'asked to print the credential',
};

const things: Readonly<Record<string, string>> = {
  binding: 'change to',
  docker: 'Docker config',
  recoveryKey: 'recovery key',
  'registry-login': 'entry',
};

/** Without a name, and not a thing and a verb. */
const wholeChanges: Readonly<Record<string, string>> = {
  install: 'command-line tools installed',
  'install.remove': 'command-line tools removed',
  uninstall: 'Lanyard uninstalled',
};

/** They name the profile’s context. */
const profileChanges: Readonly<Record<string, string>> = {
  'inventory.use': 'came into use',
  'inventory.drop': 'dropped',
  'inventory.trusted': 'moved, as its inventory is trusted',
};

const verbs: Readonly<Record<string, string>> = {
  add: 'added',
  edit: 'changed',
  set: 'set',
  remove: 'removed',
  confirm: 'approved',
  change: 'changed',
  create: 'created',
  export: 'exported',
  install: 'set up',
  reset: 'made anew',
  restore: 'restored',
  repair: 'repaired',
  import: 'imported',
  undo: 'undone',
  write: 'written',
  store: 'stored',
  erase: 'erased',
};

const locks = {
  command: 'by you',
  idle: 'as it had not been used for a while',
  screen: 'with the screen',
  start: 'at its start',
} as const;

function inventorySentence(event: Extract<HistoryEvent, { kind: 'inventory' }>): string {
  const inventory = shown(event.inventory);
  const { what, code, profiles, context } = event;
  switch (what) {
    case 'failing': {
      const why = sourceFaults.get(code ?? '') ?? shown(code ?? 'unknown');
      return `inventory ${inventory} has a problem: ${why}`;
    }
    case 'recovered':
      return `inventory ${inventory} is in sync again`;
    case 'pending':
      return context === null
        ? `${counted(profiles, 'profile')} of inventory ${inventory} are pending approval`
        : `profile ${shown(context)} of inventory ${inventory} is pending approval`;
    case 'gone':
      return context === null
        ? `${counted(profiles, 'profile')} in use are no longer in inventory ${inventory}`
        : `profile ${shown(context)} is no longer in inventory ${inventory}`;
    default:
      return `inventory ${inventory}: ${shown(what)}`;
  }
}

/** Nothing of it is what a hub said: that is in `lanyard doctor`. */
const faultTexts: Readonly<Record<SourceFaultCode, string>> = {
  noCredential: 'no credential for its hub',
  unauthorized: 'its hub rejects the credential (401)',
  forbidden: 'its hub denies access (403)',
  notServed: 'its hub has no ClusterProfiles',
  expired: 'its hub forgets changes at once (410)',
  throttled: 'its hub asks for fewer requests (429)',
  status: 'its hub answers with an error',
  unreachable: 'its hub can’t be reached',
  silent: 'its hub doesn’t answer in time',
  badAnswer: 'what answers is no hub',
  tooLarge: 'a profile is too large',
  endless: 'its hub’s list doesn’t end',
  outOfOrder: 'its hub’s changes are out of order',
  emptied: 'most of its profiles are suddenly missing',
  overQuota: 'it has too many profiles',
  file: 'a file can’t be read',
  internal: 'an error in Lanyard',
};
const sourceFaults: ReadonlyMap<string, string> = new Map(Object.entries(faultTexts));

const decisions = { handedOut: 'issued', noCredential: 'no credential', refused: 'denied' } as const;
const revocations = {
  revoked: 'revoked at the provider',
  notOffered: 'forgotten; the provider offers no revocation',
  failed: 'forgotten; the provider could not be told',
  nothing: 'forgotten',
} as const;
const verdicts = {
  accepted: 'the cluster takes it',
  rejected: 'the cluster rejects it',
  unknown: 'the cluster could not be asked',
} as const;
const actions = {
  kept: 'kept',
  renewed: 'renewed',
  notRenewed: 'not renewed',
  backedOff: 'left alone for a while, as it rejects fresh ones too',
} as const;
const approvals = {
  approved: 'was approved',
  denied: 'was denied',
  nobody: 'was denied: no terminal to ask',
} as const;

function forAudience(audience: string | null): string {
  return audience === null ? '' : ` for ${shown(audience)}`;
}
