import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright';

/** The ticks of /proc are of 10 ms on every Linux that there is. */
const tickMilliseconds = 10;

/** The time that a process has computed so far, in milliseconds: all of its threads. */
export function processMilliseconds(pid: number): number {
  // What stands before is its name, in which there may be anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tickMilliseconds;
}

/** The processes of a browser, by what they are. */
export async function browserProcesses(browser: Browser): Promise<{ id: number; type: string }[]> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  return processInfo.map(({ id, type }) => ({ id, type }));
}
