import { sourceNames } from '../contract/doors.ts';
import type { ActivityEvent } from '../contract/ui/calls/activity.ts';
import { counted } from '../contract/ui/count-text.ts';
import { sentence } from '../contract/ui/sentence.ts';
import { callClass } from '../domain/figures/call-class.ts';
import { registryOf } from '../domain/target/registry-target.ts';
import { clusterOf, targetText } from '../domain/target/target.ts';
import { localTime } from '../domain/text/local-time.ts';
import type { Caller } from '../ports/caller.ts';
import type { HistoryEvent } from '../ports/history.ts';
import type { RecordedEvent } from '../ports/history-reader.ts';
import { callResult } from './call-result.ts';
import { eventSentence, policyText, requestAnswer, whys } from './event-sentence.ts';
import { programName, shown } from './event-text.ts';

/** One event as the UI shows it. */
export function activityEventOf({ id, at, event }: RecordedEvent): ActivityEvent {
  const target = 'target' in event ? event.target : null;
  const [cluster, registry] = [clusterOf(target), registryOf(target)];
  return {
    id,
    at,
    kind: event.kind,
    program: programOf(event),
    target: event.kind === 'inventory' ? shown(event.inventory) : target && shown(targetText(target)),
    result: resultOf(event),
    tone: toneOf(event),
    cluster: cluster && shown(cluster),
    registry: registry && shown(registry),
    inventory: event.kind === 'inventory' ? shown(event.inventory) : null,
    account: 'account' in event && event.account !== null ? shown(event.account) : null,
    foldKey: foldKeyOf(event),
    details: detailsOf(event, at).map(([label, value]) => [label, shown(value)]),
  };
}

function programOf(event: HistoryEvent): string | null {
  if (event.kind === 'call' || event.kind === 'approval') {
    return programName(event.caller.executable);
  }
  return event.kind === 'request' ? shown(event.program ?? 'unknown') : null;
}

/**
 * A program of another place may have a known one’s name. It, its way in and its reason are never folded into that
 * one’s row.
 */
function foldKeyOf(event: HistoryEvent): string {
  if (event.kind !== 'call' && event.kind !== 'approval') {
    return '';
  }
  const { executable, uid, origin, sure } = event.caller;
  const asked =
    event.kind === 'call' ? [event.door, event.reason, event.audience] : [event.policy, event.where];
  return JSON.stringify([executable, uid, origin, sure, ...asked]);
}

function resultOf(event: HistoryEvent): string {
  switch (event.kind) {
    case 'call':
      return callResult(event);
    case 'approval':
      return approvals[event.outcome];
    case 'change':
      return begun(eventSentence(event));
    case 'request':
      return `${shown(event.method)} ${shown(event.path)}: ${requestAnswer(event)}`;
    default:
      return sentence(eventSentence(event, { time: dayTime })).replace(/\.$/, '');
  }
}

const approvals = {
  approved: 'Approved',
  denied: 'Denied: by you',
  nobody: 'Denied: no terminal to ask',
} as const;
const places = {
  terminal: 'on the terminal',
  page: 'in a page',
  window: 'in Lanyard’s window',
} as const;
/** What names a thing keeps its case: the thing’s kind begins the words. */
function begun(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const callTones = {
  handedOut: 'good',
  noCredential: 'plain',
  declined: 'refused',
  failed: 'failed',
} as const;

function toneOf(event: HistoryEvent): ActivityEvent['tone'] {
  switch (event.kind) {
    case 'call':
      return callTones[callClass(event.outcome, event.reason)];
    case 'approval':
      return event.outcome === 'approved' ? 'good' : 'refused';
    case 'login':
      return event.outcome === 'done' ? 'good' : event.outcome === 'cancelled' ? 'refused' : 'failed';
    case 'renewal':
      return event.outcome === 'failed' ? 'failed' : 'plain';
    case 'inventory':
      return event.what === 'failing' ? 'failed' : event.what === 'recovered' ? 'good' : 'plain';
    case 'pluginRun':
      return event.code === null ? 'plain' : 'failed';
    case 'rejection':
      return event.verdict === 'rejected' ? 'failed' : 'plain';
    case 'request':
      return requestTone(event.status);
    default:
      return 'plain';
  }
}

function requestTone(status: number): ActivityEvent['tone'] {
  if (status === 0 || status >= 500) {
    return 'failed';
  }
  return status === 401 || status === 403 ? 'refused' : 'plain';
}

function bytesText(bytes: number): string {
  return counted(bytes, 'byte');
}

function detailsOf(event: HistoryEvent, at: number): [string, string][] {
  const time: [string, string] = ['Time', localTime(at, 'milliseconds')];
  switch (event.kind) {
    case 'call':
      return [
        time,
        ['Source', sourceNames[event.door]],
        ['Reason', event.reason === 'held' ? 'cached' : event.reason],
        ['Took', `${(event.microseconds / 1000).toFixed(1)} ms`],
        ...(event.audience === null ? [] : [['Audience', event.audience] as [string, string]]),
        ...callerDetails(event.caller),
      ];
    case 'approval':
      return [
        time,
        ['Policy', policyText(event.policy)],
        ...(event.where === null ? [] : [['Answered', places[event.where]] as [string, string]]),
        ...callerDetails(event.caller),
      ];
    case 'change':
      return [time, ['Change', event.what]];
    case 'request':
      return [
        time,
        ['Method', event.method],
        ['Path', event.path],
        ['Status', event.status === 0 ? 'no answer' : String(event.status)],
        ...(event.answeredBy === 'proxy' ? [['Answered by', 'Lanyard'] as [string, string]] : []),
        ['Took', `${event.milliseconds} ms`],
        ['Sent', bytesText(event.bytesUp)],
        ['Received', bytesText(event.bytesDown)],
        ['Program', event.program ?? 'unknown'],
        ['Process', String(event.pid)],
      ];
    case 'moreRequests':
      return [time, ['Sent', bytesText(event.bytesUp)], ['Received', bytesText(event.bytesDown)]];
    default:
      return [
        time,
        ...('why' in event
          ? [['Why', whys[event.why as keyof typeof whys] ?? event.why] as [string, string]]
          : []),
        ...('code' in event && event.code !== null ? [['Code', event.code] as [string, string]] : []),
        ...('audience' in event && event.audience !== null
          ? [['Audience', event.audience] as [string, string]]
          : []),
        ...('issuer' in event && event.issuer !== null ? [['Issuer', event.issuer] as [string, string]] : []),
      ];
  }
}

function callerDetails(caller: Caller): [string, string][] {
  const { executable, pid, uid, origin, hasTerminal, session, sure } = caller;
  return [
    ['Program', executable ?? 'unknown'],
    ['Process', `${pid}, user ${uid}`],
    ['Terminal', hasTerminal ? `yes${session ? `, session ${session.leaderPid}` : ''}` : 'none'],
    ['From', { local: 'this machine', ssh: 'an SSH session', container: 'another container' }[origin]],
    ...(sure
      ? []
      : [['Sure', 'no: the program ended or changed while it was looked at'] as [string, string]]),
  ];
}

/** `14:31`, with the day where that isn't this one's. */
function dayTime(at: number): string {
  return localTime(at).slice(0, 16).replace('T', ' ');
}
