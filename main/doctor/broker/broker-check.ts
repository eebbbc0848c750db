import { observe } from '../../domain/text/finding.ts';
import type { Check } from '../check.ts';

/** Which broker answers, and whether the caller’s helper has the same version. */
export function brokerCheck(of: { version: string; pid: number; helperVersion: string | undefined }): Check {
  return {
    group: 'broker',
    name: 'broker',
    subject: null,
    run: () => {
      const found = observe('broker');
      const { version, pid, helperVersion } = of;
      return helperVersion === undefined || helperVersion === version
        ? [found.ok(`the agent ${version} runs (pid ${pid})`)]
        : [
            found.warning(
              `the helper has version ${helperVersion}, the agent ${version}`,
              'end the agent and start it again: lanyard agent; it puts its own helper in place',
            ),
          ];
    },
  };
}
