/**
 * Exit codes of the helper (docs/guide/cli.md, “Exit codes”). One for each reason of a refusal; the docker door has only
 * 0 and 1 (rule: distinct-refusals).
 */
export const exitCodes = {
  good: 0,
  internal: 1,
  usage: 2,
  denied: 10,
  locked: 11,
  timedOut: 12,
  notPermitted: 13,
  notFound: 14,
  loginNeeded: 15,
  provider: 16,
  unreachable: 17,
  version: 18,
  /** `lanyard doctor` found a problem. */
  problems: 19,
  /** The change is saved, and nothing of it applies before it is approved: there was no terminal to approve it on. */
  pending: 20,
} as const;

export type ExitName = keyof typeof exitCodes;
export type ExitCode = (typeof exitCodes)[ExitName];
