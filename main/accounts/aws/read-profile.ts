import { type Refusal, refuse } from '../../contract/refusal.ts';
import { processAccountLine } from '../../domain/aws/process-line.ts';
import type { AwsProfile } from '../../domain/aws/profile.ts';
import { visibleText } from '../../domain/text/visible-text.ts';
import { type AwsProfileDeps, readAwsProfile } from '../aws-profile-files.ts';
import { readByOthersText } from '../observe.ts';
import type { FoundKeys } from './keys-credential.ts';

interface NamedProfile {
  /** The account’s. */
  name: string;
  profile: string;
  credentialsFile: string | undefined;
}

/** The static keys of a profile of the AWS tools; of another profile, which account it needs. */
export async function readProfile(named: NamedProfile, deps: AwsProfileDeps): Promise<FoundKeys> {
  const { profile, credentialsFile } = named;
  const read = await readAwsProfile(profile, credentialsFile, deps);
  if (!read.ok) {
    return invalid(read.fault);
  }
  const { found, looked, file } = read;
  if (found.kind !== 'static' || file === null) {
    return refusal(named, found, looked);
  }
  return {
    ok: true,
    keys: found.keys,
    where: `is the profile ${visibleText(profile, 100)}’s in ${file.path}`,
    warning: file.readByOthers ? readByOthersText(file.path) : null,
  };
}

function refusal({ name, profile }: NamedProfile, found: AwsProfile, looked: string): Refusal {
  const shown = visibleText(profile, 100);
  switch (found.kind) {
    case 'missing':
      return invalid(`there is no profile ${shown} in ${looked}`);
    case 'half':
      return invalid(`the profile ${shown} in ${looked} has no ${found.missing}`);
    case 'keyless':
    case 'static':
      return invalid(`the profile ${shown} in ${looked} has no keys`);
    case 'process':
      return invalid(
        `the profile ${shown} has its keys from a program (credential_process), and ${name} is for static ones`,
        `make it an account that runs the program (awsProcess): ${processAccountLine(profile)}`,
      );
    case 'other':
      return invalid(
        `the profile ${shown} has no static keys: it has ${found.what}, which the AWS CLI does`,
        `let the AWS CLI get them (awsProcess): ${processAccountLine(profile)}`,
      );
  }
}

function invalid(message: string, hint?: string): Refusal {
  return refuse('notFound', 'aws.profile', message, hint);
}
