import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { type TargetName, targetKey, targetOfKey } from '../domain/target/target.ts';
import { visibleText } from '../domain/text/visible-text.ts';
import type { Caller } from '../ports/caller.ts';
import type { HistoryEvent } from '../ports/history.ts';
import { sharedColumns } from './schema.ts';

type Kind = HistoryEvent['kind'];
type EventOf<K extends Kind> = Extract<HistoryEvent, { kind: K }>;
export type Row = Record<string, SQLOutputValue>;

/** Ids of what an event points to. */
export interface Links {
  caller(caller: Caller): number;
  grant(account: string, audience: string | null): number;
}

/** How one kind of event lies in its table; `id` and `at` go before the columns. */
export interface EventTable<K extends Kind = Kind> {
  kind: K;
  table: string;
  columns: readonly string[];
  /** What a reading takes along: by `caller_id` or `grant_id`. */
  joins: 'callers' | 'grants' | null;
  /** Its rows are kept no longer than this, in milliseconds; absent: as long as all. */
  keep?: number;
  toRow(event: EventOf<K>, links: Links): SQLInputValue[];
  fromRow(row: Row): EventOf<K>;
}

/** Names have 128 characters at most; a client may send anything as one. */
const nameCharacters = 160;
const textCharacters = 512;
/** Programs send many; the record of a year is of credentials. */
const requestsKept = 7 * 86_400_000;
const plain = /^[\x20-\x7e]{0,160}$/;

function name(text: string): string {
  return plain.test(text) ? text : visibleText(text, nameCharacters);
}

/** As `targetKey`, with the name as it may be stored. */
function target(named: TargetName | null): string | null {
  return named && targetKey({ kind: named.kind, name: name(named.name) });
}

function targetOf(row: Row): TargetName | null {
  const key = the<string | null>(row, 'target');
  return key === null ? null : targetOfKey(key);
}

function text(value: string | null): string | null {
  return value === null || plain.test(value) ? value : visibleText(value, textCharacters);
}

function whole(value: number | null): number | null {
  return value === null || !Number.isFinite(value) ? null : Math.trunc(value);
}

/** A column as it was written by `toRow`: the file's own types are STRICT. */
function the<T extends SQLOutputValue>(row: Row, column: string): T {
  return row[column] as T;
}

const call: EventTable<'call'> = {
  kind: 'call',
  table: 'calls',
  columns: [
    'door',
    'caller_id',
    'pid',
    'start_time',
    'account',
    'target',
    'audience',
    'outcome',
    'reason',
    'generation',
    'microseconds',
  ],
  joins: 'callers',
  toRow: (event, links) => [
    event.door,
    links.caller(event.caller),
    event.caller.pid,
    name(event.caller.startTime),
    // The column takes no NULL, and no account has an empty name.
    name(event.account ?? ''),
    target(event.target),
    text(event.audience),
    event.outcome,
    name(event.reason),
    event.generation,
    Math.trunc(event.microseconds),
  ],
  fromRow: (row) => ({
    kind: 'call',
    door: the<EventOf<'call'>['door']>(row, 'door'),
    caller: callerOf(row),
    account: the<string>(row, 'account') || null,
    target: targetOf(row),
    audience: the(row, 'audience'),
    outcome: the<EventOf<'call'>['outcome']>(row, 'outcome'),
    reason: the(row, 'reason'),
    generation: the(row, 'generation'),
    microseconds: the(row, 'microseconds'),
  }),
};

const login: EventTable<'login'> = {
  kind: 'login',
  table: 'logins',
  columns: ['account', 'flow', 'outcome', 'code', 'issuer', 'subject', 'display_name'],
  joins: null,
  toRow: (event) => [
    name(event.account),
    event.flow,
    event.outcome,
    text(event.code),
    text(event.issuer),
    text(event.subject),
    text(event.displayName),
  ],
  fromRow: (row) => ({
    kind: 'login',
    account: the(row, 'account'),
    flow: the<EventOf<'login'>['flow']>(row, 'flow'),
    outcome: the<EventOf<'login'>['outcome']>(row, 'outcome'),
    code: the(row, 'code'),
    issuer: the(row, 'issuer'),
    subject: the(row, 'subject'),
    displayName: the(row, 'display_name'),
  }),
};

const logout: EventTable<'logout'> = {
  kind: 'logout',
  table: 'logouts',
  columns: ['account', 'had_session', 'revocation'],
  joins: null,
  toRow: (event) => [name(event.account), event.hadSession ? 1 : 0, event.revocation],
  fromRow: (row) => ({
    kind: 'logout',
    account: the(row, 'account'),
    hadSession: row['had_session'] === 1,
    revocation: the<EventOf<'logout'>['revocation']>(row, 'revocation'),
  }),
};

const generation: EventTable<'generation'> = {
  kind: 'generation',
  table: 'generations',
  columns: [
    'grant_id',
    'generation',
    'why',
    'credential',
    'issued_at',
    'expires_at',
    'previous_age',
    'previous_life',
    'target',
    'replaced_certificate_age',
  ],
  joins: 'grants',
  toRow: (event, links) => [
    links.grant(event.account, event.audience),
    event.generation,
    event.why,
    event.credential,
    whole(event.issuedAt),
    whole(event.expiresAt),
    whole(event.previousAge),
    whole(event.previousLife),
    target(event.target),
    whole(event.replacedCertificateAge),
  ],
  fromRow: (row) => ({
    kind: 'generation',
    ...grantOf(row),
    generation: the(row, 'generation'),
    why: the<EventOf<'generation'>['why']>(row, 'why'),
    credential: the<EventOf<'generation'>['credential']>(row, 'credential'),
    issuedAt: the(row, 'issued_at'),
    expiresAt: the(row, 'expires_at'),
    previousAge: the(row, 'previous_age'),
    previousLife: the(row, 'previous_life'),
    target: targetOf(row),
    replacedCertificateAge: the(row, 'replaced_certificate_age'),
  }),
};

const renewal: EventTable<'renewal'> = {
  kind: 'renewal',
  table: 'renewals',
  columns: ['grant_id', 'why', 'outcome', 'code', 'milliseconds'],
  joins: 'grants',
  toRow: (event, links) => [
    links.grant(event.account, event.audience),
    event.why,
    event.outcome,
    text(event.code),
    Math.trunc(event.milliseconds),
  ],
  fromRow: (row) => ({
    kind: 'renewal',
    ...grantOf(row),
    why: the<EventOf<'renewal'>['why']>(row, 'why'),
    outcome: the<EventOf<'renewal'>['outcome']>(row, 'outcome'),
    code: the(row, 'code'),
    milliseconds: the(row, 'milliseconds'),
  }),
};

const rejection: EventTable<'rejection'> = {
  kind: 'rejection',
  table: 'rejections',
  columns: ['grant_id', 'target', 'generation', 'verdict', 'action'],
  joins: 'grants',
  toRow: (event, links) => [
    links.grant(event.account, event.audience),
    target(event.target),
    event.generation,
    event.verdict,
    event.action,
  ],
  fromRow: (row) => ({
    kind: 'rejection',
    ...grantOf(row),
    target: targetOfKey(the(row, 'target')),
    generation: the(row, 'generation'),
    verdict: the<EventOf<'rejection'>['verdict']>(row, 'verdict'),
    action: the<EventOf<'rejection'>['action']>(row, 'action'),
  }),
};

const pluginRun: EventTable<'pluginRun'> = {
  kind: 'pluginRun',
  table: 'plugin_runs',
  columns: ['account', 'target', 'place', 'call_status', 'exit_code', 'code', 'milliseconds', 'plugin'],
  joins: null,
  toRow: (event) => [
    name(event.account),
    target(event.target),
    event.where,
    event.callStatus,
    event.exitCode,
    text(event.code),
    Math.trunc(event.milliseconds),
    event.plugin,
  ],
  fromRow: (row) => ({
    kind: 'pluginRun',
    plugin: the<EventOf<'pluginRun'>['plugin']>(row, 'plugin'),
    account: the(row, 'account'),
    target: targetOf(row),
    where: the<EventOf<'pluginRun'>['where']>(row, 'place'),
    callStatus: the<EventOf<'pluginRun'>['callStatus']>(row, 'call_status'),
    exitCode: the(row, 'exit_code'),
    code: the(row, 'code'),
    milliseconds: the(row, 'milliseconds'),
  }),
};

const approval: EventTable<'approval'> = {
  kind: 'approval',
  table: 'approvals',
  columns: ['caller_id', 'pid', 'start_time', 'account', 'target', 'policy', 'outcome', 'place'],
  joins: 'callers',
  toRow: (event, links) => [
    links.caller(event.caller),
    event.caller.pid,
    name(event.caller.startTime),
    name(event.account),
    target(event.target),
    name(event.policy),
    event.outcome,
    event.where,
  ],
  fromRow: (row) => ({
    kind: 'approval',
    caller: callerOf(row),
    account: the(row, 'account'),
    target: targetOfKey(the(row, 'target')),
    policy: the(row, 'policy'),
    outcome: the<EventOf<'approval'>['outcome']>(row, 'outcome'),
    where: the<EventOf<'approval'>['where']>(row, 'place'),
  }),
};

const inventory: EventTable<'inventory'> = {
  kind: 'inventory',
  table: 'inventory_events',
  columns: ['inventory', 'what', 'code', 'profiles', 'context'],
  joins: null,
  toRow: (event) => [
    name(event.inventory),
    event.what,
    text(event.code),
    event.profiles,
    event.context === null ? null : name(event.context),
  ],
  fromRow: (row) => ({
    kind: 'inventory',
    inventory: the(row, 'inventory'),
    what: the<EventOf<'inventory'>['what']>(row, 'what'),
    code: the(row, 'code'),
    profiles: the(row, 'profiles'),
    context: the(row, 'context'),
  }),
};

const lock: EventTable<'lock'> = {
  kind: 'lock',
  table: 'locks',
  columns: ['what', 'why'],
  joins: null,
  toRow: (event) => [event.what, event.why],
  fromRow: (row) => ({
    kind: 'lock',
    what: the<EventOf<'lock'>['what']>(row, 'what'),
    why: the<EventOf<'lock'>['why']>(row, 'why'),
  }),
};

const change: EventTable<'change'> = {
  kind: 'change',
  table: 'changes',
  columns: ['what', 'name'],
  joins: null,
  toRow: (event) => [name(event.what), event.name === null ? null : name(event.name)],
  fromRow: (row) => ({ kind: 'change', what: the(row, 'what'), name: the(row, 'name') }),
};

const request: EventTable<'request'> = {
  kind: 'request',
  table: 'requests',
  columns: [
    'target',
    'pid',
    'program',
    'method',
    'path',
    'status',
    'answered_by',
    'milliseconds',
    'bytes_up',
    'bytes_down',
  ],
  joins: null,
  keep: requestsKept,
  toRow: (event) => [
    target(event.target),
    event.pid,
    event.program === null ? null : name(event.program),
    name(event.method),
    text(event.path),
    event.status,
    event.answeredBy,
    Math.trunc(event.milliseconds),
    Math.trunc(event.bytesUp),
    Math.trunc(event.bytesDown),
  ],
  fromRow: (row) => ({
    kind: 'request',
    target: targetOfKey(the(row, 'target')),
    pid: the(row, 'pid'),
    program: the(row, 'program'),
    method: the(row, 'method'),
    path: the(row, 'path'),
    status: the(row, 'status'),
    answeredBy: the<EventOf<'request'>['answeredBy']>(row, 'answered_by'),
    milliseconds: the(row, 'milliseconds'),
    bytesUp: the(row, 'bytes_up'),
    bytesDown: the(row, 'bytes_down'),
  }),
};

const moreRequests: EventTable<'moreRequests'> = {
  kind: 'moreRequests',
  table: 'more_requests',
  columns: ['target', 'requests', 'bytes_up', 'bytes_down'],
  joins: null,
  keep: requestsKept,
  toRow: (event) => [
    target(event.target),
    event.requests,
    Math.trunc(event.bytesUp),
    Math.trunc(event.bytesDown),
  ],
  fromRow: (row) => ({
    kind: 'moreRequests',
    target: targetOfKey(the(row, 'target')),
    requests: the(row, 'requests'),
    bytesUp: the(row, 'bytes_up'),
    bytesDown: the(row, 'bytes_down'),
  }),
};

/** Every kind of event, by its name. */
export const eventTables: { readonly [K in Kind]: EventTable<K> } = {
  call,
  login,
  logout,
  generation,
  renewal,
  pluginRun,
  rejection,
  approval,
  inventory,
  lock,
  change,
  request,
  moreRequests,
};

/** `SELECT …` of an event with what it points to, up to its WHERE. */
export function selectFrom({ table, columns, joins }: EventTable): string {
  const own = ['id', 'at', ...columns].map((column) => `${table}.${column}`);
  const joined = joins === null ? [] : sharedColumns[joins].map((column) => `${joins}.${column}`);
  const join = joins === null ? '' : ` LEFT JOIN ${joins} ON ${joins}.id = ${table}.${joins.slice(0, -1)}_id`;
  return `SELECT ${[...own, ...joined].join(', ')} FROM ${table}${join}`;
}

function callerOf(row: Row): Caller {
  const leaderPid = the<number | null>(row, 'session_leader_pid');
  return {
    uid: the<number | null>(row, 'uid') ?? -1,
    pid: the(row, 'pid'),
    startTime: the(row, 'start_time'),
    executable: the(row, 'executable'),
    executableId: the(row, 'executable_id'),
    session:
      leaderPid === null
        ? null
        : { leaderPid, startTime: the<string | null>(row, 'session_start_time') ?? '' },
    pidNamespace: the(row, 'pid_namespace'),
    origin: the<Caller['origin'] | null>(row, 'origin') ?? 'container',
    hasTerminal: row['has_terminal'] === 1,
    sure: row['sure'] === 1,
  };
}

function grantOf(row: Row): { account: string; audience: string | null } {
  return { account: the<string | null>(row, 'account') ?? '', audience: the(row, 'audience') };
}
