import type { AccountProgram } from '../program/program-of.ts';
import { shellWord } from '../text/shell-line.ts';
import { visibleText } from '../text/visible-text.ts';

/** What the AWS CLI says where the session at IAM Identity Center has ended, or there is none (botocore.exceptions, tokens). */
const sessionOver =
  /SSO session associated with this profile has expired|Error loading SSO Token|Token for \S+ does not exist|Error when retrieving token from sso|Token has expired and refresh failed|Session token not found or invalid/i;

/** The command that begins a new session, where a program’s stderr says that its own has ended; null: it doesn’t. */
export function loginLine(
  { args, env }: Pick<AccountProgram, 'args' | 'env'>,
  stderr: readonly string[],
): string | null {
  if (!stderr.some((line) => sessionOver.test(line))) {
    return null;
  }
  const at = args.indexOf('--profile');
  const profile =
    args.find((each) => each.startsWith('--profile='))?.slice('--profile='.length) ??
    (at < 0 ? undefined : args[at + 1]) ??
    env.find(({ name }) => name === 'AWS_PROFILE')?.value;
  return `aws sso login${profile === undefined ? '' : ` --profile ${visibleText(shellWord(profile), 200)}`}`;
}
