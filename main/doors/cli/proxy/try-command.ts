import { type ExitCode, exitCodes } from '../../../contract/exit-codes.ts';
import type { ShownTry } from '../../../contract/shown-try.ts';
import { clusterNamed } from '../../../domain/naming/cluster-called.ts';
import { visibleText } from '../../../domain/text/visible-text.ts';
import { defaultPath, type TryRequestDeps, tryRequest } from '../../../operations/try-request.ts';
import type { Clock } from '../../../ports/clock.ts';
import { refusalAnswer } from '../../../ports/door.ts';
import { type Command, json, parseWords } from '../command.ts';
import { triedText } from './tried-text.ts';

export interface ProxyTryDeps extends TryRequestDeps {
  clock: Pick<Clock, 'now' | 'after'>;
}

/** How long the helper is told to wait, in seconds: longer than the data plane tries. */
const waitSeconds = 80;
/** The user is told so often that it waits, in milliseconds. */
const sayMilliseconds = 5_000;

/** `lanyard proxy try CLUSTER [PATH] [--verbose] [--json]` */
export function proxyTryCommand(deps: ProxyTryDeps): Command {
  return async (call) => {
    const { positionals, values } = parseWords('proxy try', call.args, ['CLUSTER', '[PATH]'], {
      verbose: { type: 'boolean' },
      json: { type: 'boolean' },
    });
    const [called = '', path = defaultPath] = positionals;
    const cluster = clusterNamed(called, deps.config.current().clusters.values());
    call.terminal.extend(waitSeconds);
    const waiting = sayWaiting(deps.clock, (seconds) =>
      call.terminal.print(`lanyard: waiting for ${visibleText(cluster)} (${seconds} s); Ctrl-C ends it\n`),
    );
    const done = await tryRequest(deps, cluster, path, call.signal).finally(waiting);
    if (!done.ok) {
      return refusalAnswer(done);
    }
    const { shown } = done;
    const stdout = values.json ? json(shown) : triedText(shown, { verbose: values.verbose === true });
    const stderr = said(shown);
    return { code: codeOf(shown), stdout: `${stdout}\n`, ...(stderr !== '' && { stderr }) };
  };
}

/** The result ends it. */
function sayWaiting(clock: Pick<Clock, 'after'>, say: (seconds: number) => void): () => void {
  let seconds = 0;
  const again = () =>
    clock.after(sayMilliseconds, () => {
      seconds += sayMilliseconds / 1000;
      say(seconds);
      waiting = again();
    });
  let waiting = again();
  return () => waiting.dispose();
}

/** What is wrong, and what to do. */
function said({ answer, fault, statusWords, advice }: ShownTry): string {
  const status = answer?.status ?? 0;
  const first =
    fault !== null
      ? [visibleText(fault)]
      : status >= 400
        ? [`the cluster answered ${status} ${statusWords}`.trimEnd()]
        : [];
  const lines = [
    ...first.map((each) => `lanyard: ${each}`),
    ...advice.flatMap(({ text, hint }) => [`lanyard: ${text}`, ...(hint === null ? [] : [`hint: ${hint}`])]),
  ];
  return lines.map((each) => `${each}\n`).join('');
}

/** Where the request proxy answered itself: as for its reason elsewhere (main/proxy/request-proxy.ts). */
function codeOf({ answer, fault, faultStatus }: ShownTry): ExitCode {
  if (fault === null && answer !== null && answer.status < 400) {
    return exitCodes.good;
  }
  switch (faultStatus) {
    case 401:
      return exitCodes.loginNeeded;
    case 403:
      return exitCodes.notPermitted;
    case 504:
      return exitCodes.timedOut;
    default:
      return exitCodes.provider;
  }
}
