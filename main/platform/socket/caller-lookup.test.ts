import { expect, it } from 'vitest';
import { kubectl } from '../../history/testing/sample-events.ts';
import type { CallerChain, PeerIdentity, ProcessBrief, ProcessInfo } from '../../ports/peer-identity.ts';
import { createCallerLookup, lineageOf } from './caller-lookup.ts';
import { identityOf, macTerminals } from './testing/mac-terminals.ts';

const brief = (pid: number, parentPid: number, name: string): ProcessBrief => ({
  ...{ pid, parentPid, name, startTime: `${pid}` },
  ...{ sessionLeaderPid: 1, hasTerminal: false },
});

function lineage(processes: readonly ProcessBrief[], executable: string | null): string[] {
  const process = (pid: number): ProcessInfo | null => {
    const found = processes.find((each) => each.pid === pid);
    return found ? { ...found, executable, executableId: null, pidNamespace: null } : null;
  };
  const identity = { process, brief: (pid: number) => processes.find((each) => each.pid === pid) ?? null };
  return lineageOf({ ...kubectl, pid: 30, startTime: '30' }, identity);
}

it("names a program of Node by its executable, for the system has its thread's name", () => {
  const processes = [brief(30, 20, 'kubectl'), brief(20, 10, 'MainThread'), brief(10, 1, 'zsh')];
  expect(lineage(processes, '/opt/node/bin/node')).toEqual(['kubectl', 'node', 'zsh']);
  // Another user's.
  expect(lineage(processes, null)).toEqual(['kubectl', 'MainThread', 'zsh']);
});

it("is empty where the caller has gone and its pid is another's", () => {
  expect(lineage([{ ...brief(30, 20, 'kubectl'), startTime: '31' }], null)).toEqual([]);
});

/** A helper (30) of kubectl (20) of a shell (10), as the system shows them. */
function lookUp(shown: Partial<CallerChain>) {
  const of = (each: ProcessBrief): ProcessInfo => ({
    ...each,
    ...{ executable: '/usr/local/bin/kubectl', executableId: '1:2', pidNamespace: null },
  });
  const chain: CallerChain = {
    helper: brief(30, 20, 'lanyard'),
    parent: of(brief(20, 10, 'kubectl')),
    above: brief(10, 5, 'zsh'),
    sessionLeader: brief(5, 1, 'login'),
    sure: true,
    ...shown,
  };
  const identity: PeerIdentity = {
    chain: () => chain,
    process: () => null,
    brief: () => null,
    peer: () => ({ uid: 501, pid: 30 }),
    ownUid: () => 501,
    ownPid: () => 1,
  };
  return createCallerLookup(identity)(30, 501);
}

// (rule: way-in)
it.each([
  ['child', 5, 5],
  ['adopted', 5, 1],
  // No session of this pid namespace, such as one that a container’s runtime opened.
  ['child', 0, 0],
  ['adopted', 0, 1],
  ['unclear', 30, 1],
])('takes a helper as %s: in session %d, its parent in %d', (kinship, own, parents) => {
  const parent = { executable: null, executableId: null, pidNamespace: null };
  expect(
    lookUp({
      helper: { ...brief(30, 20, 'lanyard'), sessionLeaderPid: own },
      parent: { ...brief(20, 1, 'systemd'), sessionLeaderPid: parents, ...parent },
    }),
  ).toMatchObject({ kinship });
});

it('knows a caller whose session another user leads, as in a Mac’s terminals', () => {
  expect(lookUp({})).toMatchObject({
    ...{ pid: 20, parentName: 'zsh', session: { leaderPid: 5, startTime: '5' }, origin: 'local', sure: true },
  });
});

it.each<[string, Partial<CallerChain>, object]>([
  ['the session’s leader', { sessionLeader: null }, { pid: 20, session: null, sure: true }],
  ['what started the caller', { above: null }, { pid: 20, parentName: null, origin: 'local' }],
  ['the caller itself', { parent: null, above: null }, { pid: 0, origin: 'container', sure: false }],
])('labels a caller less where the system doesn’t show %s, and refuses nobody', (_, shown, expected) => {
  expect(lookUp(shown)).toMatchObject(expected);
});

it.each(macTerminals)('shows who calls in $where on a Mac', ({ processes, shown }) => {
  const identity = identityOf(processes);
  const caller = createCallerLookup(identity)(900, 501);
  const { lineage, leaderPid, ...told } = shown;
  expect(caller).toMatchObject({ ...told, uid: 501, pid: 890, executable: '/opt/homebrew/bin/kubectl' });
  expect(caller).toMatchObject({ sure: true, hasTerminal: leaderPid !== null });
  expect(caller.session?.leaderPid ?? null).toBe(leaderPid);
  expect(lineageOf(caller, identity)).toEqual(lineage);
});

it('takes a session of OpenSSH for Windows for one', () => {
  const above = brief(10, 5, 'sshd-session.exe');
  expect(lookUp({ above })).toMatchObject({ origin: 'ssh' });
});
