import { type BrokerSide, brokerChecks, proxiedIn } from '../../../doctor/broker-checks.ts';
import type { Check } from '../../../doctor/check.ts';
import { otherContainerCheck } from '../../../doctor/proxy/proxy-clients-check.ts';
import { report } from '../../../doctor/report.ts';
import { allMilliseconds, checkMilliseconds, runChecks } from '../../../doctor/run-checks.ts';
import { userChecks } from '../../../doctor/user/user-checks.ts';
import { userVariables } from '../../../doctor/user/user-environment.ts';
import { observe } from '../../../domain/text/finding.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Log } from '../../../ports/log.ts';
import { type Command, type CommandCall, parseWords } from '../command.ts';

/** How often the user at a terminal is told the progress. */
const progressMilliseconds = 2_000;

export type DoctorDeps = BrokerSide & { clock: Clock; log: Log; platform?: NodeJS.Platform };

/** `lanyard doctor [--json]`: checks everything from kubectl to the clusters. Changes nothing. */
export function doctorCommand(deps: DoctorDeps): Command {
  return async (call) => {
    const { values } = parseWords('doctor', call.args, [], { json: { type: 'boolean' } });
    call.terminal.extend(Math.ceil((allMilliseconds + checkMilliseconds) / 1000) + 10);
    const checks = [...brokerChecks(deps, call.helperVersion), ...(await checksOfCaller(call, deps))];
    const findings = await runChecks(
      checks,
      { clock: deps.clock, log: deps.log, onProgress: progressOn(call, deps.clock) },
      call.signal,
    );
    return report(findings, { json: values.json === true });
  };
}

async function checksOfCaller(call: CommandCall, deps: DoctorDeps): Promise<Check[]> {
  if (call.caller.origin === 'container') {
    const proxied = proxiedIn(deps.config.current());
    return [
      instead('not looked at: they are in another container, where other files are'),
      ...(proxied.length > 0 ? [otherContainerCheck(proxied)] : []),
    ];
  }
  const variables = await call.terminal.environment(userVariables);
  return variables === null
    ? [instead('not looked at: this helper can’t tell its environment', 'use the helper of this home')]
    : userChecks(
        { platform: deps.platform ?? process.platform, cwd: call.cwd, variables },
        deps.paths,
        deps.clock,
        deps.config.current(),
        deps.requestProxy.proxy.knownPlace()?.port ?? null,
        deps.access,
      );
}

function instead(message: string, hint: string | null = null): Check {
  return {
    group: 'kubeconfigs',
    name: 'kubeconfig',
    subject: null,
    run: () => [observe('kubeconfig').note(message, hint)],
  };
}

/** Tells the user at a terminal that it goes on, where it takes a while. */
function progressOn(call: CommandCall, clock: Pick<Clock, 'boottime'>) {
  let last = clock.boottime();
  return (ended: number, all: number) => {
    if (call.terminal.canPrompt && clock.boottime() - last >= progressMilliseconds) {
      last = clock.boottime();
      call.terminal.print(`lanyard: ${ended} of ${all} looked at …\n`);
    }
  };
}
