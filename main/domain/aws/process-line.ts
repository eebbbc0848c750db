import { shellWord } from '../text/shell-line.ts';

/** What has the AWS CLI print the keys of any profile (AWS CLI 2.11 and later). */
export function exportArguments(profile: string): string[] {
  return ['configure', 'export-credentials', '--profile', profile, '--format', 'process'];
}

/** The command that makes an account of a profile, whatever the profile has its keys by. */
export function processAccountLine(profile: string): string {
  return `lanyard account add NAME --aws-profile ${shellWord(profile)}`;
}
