import { expect, it } from 'vitest';
import { kubectl } from '../history/testing/sample-events.ts';
import type { ProcessBrief, ProcessInfo } from '../ports/peer-identity.ts';
import { lineageOf } from './caller-lookup.ts';

const brief = (pid: number, parentPid: number, name: string): ProcessBrief => ({
  ...{ pid, parentPid, name, startTime: `${pid}` },
  ...{ sessionLeaderPid: 1, hasTerminal: false },
});

function lineage(processes: readonly ProcessBrief[], executable: string | null): string[] {
  const process = (pid: number): ProcessInfo | null => {
    const found = processes.find((each) => each.pid === pid);
    return found ? { ...found, uid: 1, executable, executableId: null, pidNamespace: null } : null;
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
