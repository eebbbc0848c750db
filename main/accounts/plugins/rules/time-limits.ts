import type { ExecPluginConfig } from '../../../contract/config/accounts/exec-plugin.ts';

/** Defaults: for a plugin alone, and for a user who has to look for their phone. */
const usualSeconds = { alone: 60, atTerminal: 180 };

/** How long one run may take, in seconds (rule: no-stray-program). */
export function timeLimits({ timeoutSeconds }: Pick<ExecPluginConfig, 'timeoutSeconds'>) {
  return timeoutSeconds === undefined ? usualSeconds : { alone: timeoutSeconds, atTerminal: timeoutSeconds };
}

/** Of one run of a provider plugin, in seconds: the kubelet’s (pluginExecTimeout). */
export const providerRunSeconds = 60;

/** Of one run of a program for AWS keys, in seconds: the AWS CLI may have to ask a server or two. */
export function awsProcessSeconds({ timeoutSeconds = 60 }: { timeoutSeconds?: number | undefined }): number {
  return timeoutSeconds;
}
